import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';
import { freePort, ready, run } from '../support/process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

function block(language: string): string {
  const found = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(README);
  if (found?.[1] === undefined) throw new Error(`the README has no ${language} block`);
  return found[1];
}

test("the README's first payment, pasted into a shell, creates, pushes and reads a payment", async () => {
  const env = {
    SERVICE_DATABASE_URL: `sqlite:${join(temporaryFolder(), 'service.db')}`,
    SERVICE_PORT: String(await freePort()),
    SERVICE_SANDBOX_PORT: String(await freePort()),
  };
  const url = `http://127.0.0.1:${env.SERVICE_PORT}`;
  await ready(run('src/main.ts', [], env), url);
  const script = block('sh').replaceAll('http://127.0.0.1:8080', url);
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
  });
  expect(stdout).toContain('"success":true');
  expect(stdout).toMatch(
    /"transactionId":"tx_[0-9a-z]+","externalOrderId":"ORDER-1","status":"(pending|paid)"/,
  );
});

test("the README's receiver accepts a genuine webhook and nothing else", async () => {
  const file = join(temporaryFolder(), 'receiver.ts');
  writeFileSync(file, block('ts'));
  const { isGenuine } = await import(file);
  const secret = 'whsec_c2VjcmV0';
  const body = Buffer.from('{"event":"payment.success"}');
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  expect(isGenuine(body, signature, secret)).toBe(true);
  expect(isGenuine(Buffer.from(`${body} `), signature, secret)).toBe(false);
  expect(isGenuine(body, signature.slice(0, -1), secret)).toBe(false);
  expect(isGenuine(body, signature, `${secret}x`)).toBe(false);
});

test('the README names files and commands that exist', async () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  for (const [, script = ''] of README.matchAll(/npm run (?:--silent )?([a-z:]+)/g))
    expect(scripts).toHaveProperty(script);
  for (const [, target = ''] of README.matchAll(/\]\((?!http)([^)#]+)\)/g)) {
    expect(() => readFileSync(join(ROOT, target)), target).not.toThrow();
  }
});
