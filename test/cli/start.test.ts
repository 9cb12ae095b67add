import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';
import { freePort, type Program, ready, run } from '../support/process.ts';
import { until } from '../support/until.ts';

const MAIN = 'src/main.ts';

async function settings(folder = temporaryFolder()): Promise<Record<string, string>> {
  return {
    SERVICE_DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
    SERVICE_PORT: String(await freePort()),
    SERVICE_SANDBOX_PORT: String(await freePort()),
  };
}

async function refusal(env: Record<string, string>): Promise<string> {
  const program = run(MAIN, [], env);
  expect(await program.ended).toBe(1);
  expect(program.out()).toBe('');
  expect(program.err()).toMatch(/^[^\n]+\n$/);
  return program.err();
}

test.each(['SERVICE_PORT', 'SERVICE_SANDBOX_PORT'])(
  'a %s in use stops the start with one line',
  async (name) => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => {
      taken.close();
    });
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    expect(await refusal({ ...(await settings()), [name]: port })).toContain(name);
  },
);

test('a locked database stops the start with one line', async () => {
  const locked = temporaryFolder();
  const holder = new Sqlite(join(locked, 'service.db'));
  holder.pragma('journal_mode = WAL');
  holder.exec('BEGIN IMMEDIATE');
  expect(await refusal(await settings(locked))).toMatch(/SERVICE_DATABASE_URL.*lock/);
  holder.close();
});

test('the first start creates a demo merchant and prints a working curl call; SIGTERM stops it cleanly', async () => {
  const folder = temporaryFolder();
  const env = await settings(folder);
  const url = `http://127.0.0.1:${env.SERVICE_PORT}`;
  const program = run(MAIN, [], env);
  await ready(program, url);
  const line = await firstCurl(program);
  const shell = run(
    '-e',
    [`require('child_process').execSync(${JSON.stringify(line)}, { stdio: 'inherit' })`],
    {},
  );
  expect(await shell.ended).toBe(0);
  expect(JSON.parse(shell.out())).toMatchObject({
    transactionId: expect.stringMatching(/^tx_/),
    currency: 'EUR',
  });
  expect(program.out()).toContain('TEST MONEY');
  expect(statSync(join(folder, 'secret.key')).mode & 0o777).toBe(0o600);
  expect(existsSync(join(folder, 'sandbox.db'))).toBe(true);
  program.kill('SIGTERM');
  expect(await program.ended).toBe(0);
  expect(program.err()).toBe('');
});

/** The first curl call that the start prints. */
async function firstCurl(program: Program): Promise<string> {
  const lines = () => program.out().split('\n');
  return until(
    () =>
      lines()
        .slice(0, -1)
        .find((line) => line.startsWith('curl ')),
    'a curl call',
  );
}
