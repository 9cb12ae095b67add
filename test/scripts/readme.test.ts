import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from '../support/database.ts';
import { brokenRules, serveHere } from '../support/doctor.ts';
import { freePort, ready, run } from '../support/process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** The block of this language that contains `text`. */
function block(language: string, text = ''): string {
  const blocks = README.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'));
  const found = [...blocks].find(([, code]) => code?.includes(text))?.[1];
  if (found === undefined) throw new Error(`the README has no ${language} block with ${text}`);
  return found;
}

/** A sample of the README as a file that takes the package from its source. */
function sample(name: string, text: string): string {
  const file = join(temporaryFolder(), name);
  const source = (part = 'client') => join(ROOT, 'src/client', `${part}.ts`);
  writeFileSync(
    file,
    block('ts', text).replace(
      /'payment-collection-client(?:\/(\w+))?'/g,
      (_all, part) => `'${source(part)}'`,
    ),
  );
  return file;
}

test("the README's first payment, pasted into a shell and run from TypeScript, creates, pushes and reads a payment", async () => {
  const env = {
    SERVICE_DATABASE_URL: `sqlite:${join(temporaryFolder(), 'service.db')}`,
    SERVICE_PORT: String(await freePort()),
    SERVICE_SANDBOX_PORT: String(await freePort()),
  };
  const url = `http://127.0.0.1:${env.SERVICE_PORT}`;
  await ready(run('src/main.ts', [], env), url);
  const script = `${block('sh').replaceAll('http://127.0.0.1:8080', url)}\necho " $API_KEY"`;
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
  });
  expect(stdout).toContain('"success":true');
  expect(stdout).toMatch(
    /"transactionId":"tx_[0-9a-z]+","externalOrderId":"ORDER-1","status":"(pending|paid)"/,
  );

  const file = sample('pay.ts', 'createPaymentsClient');
  writeFileSync(file, readFileSync(file, 'utf8').replace('http://127.0.0.1:8080', url));
  const paid = await promisify(execFile)(process.execPath, [file], {
    env: { API_KEY: stdout.trim().split(' ').at(-1) },
  });
  expect(paid.stdout).toMatch(/externalOrderId: 'ORDER-1',\s+status: '(pending|paid)'/);
});

test("the README's receiver passes every rule of webhook doctor", async () => {
  const { receive } = await import(sample('receiver.ts', 'verifyWebhook'));
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  const url = await serveHere((request) => receive(request, secret));
  const paidOrders = () => log.mock.calls.filter(([event]) => event === 'payment.success').length;
  expect(await brokenRules({ url, secret, paidOrders })).toEqual([]);
});
