import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { temporaryFolder } from '../support/database.ts';
import { freePort, ready, refusalOf, run, takenPort } from '../support/process.ts';
import { until } from '../support/until.ts';

const MAIN = 'src/main.ts';

async function settings(folder = temporaryFolder()): Promise<Record<string, string>> {
  return {
    SERVICE_DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
    SERVICE_PORT: String(await freePort()),
    SERVICE_SANDBOX_PORT: String(await freePort()),
  };
}

const refusal = (env: Record<string, string>) => refusalOf(MAIN, [], env);

test.each(['SERVICE_PORT', 'SERVICE_SANDBOX_PORT'])(
  'a %s in use stops the start with one line',
  async (name) => {
    const env = { ...(await settings()), [name]: String(await takenPort()) };
    expect(await refusal(env)).toMatch(new RegExp(`^${name}\\b.*; stop .* choose another port`));
  },
);

test('a SERVICE_SANDBOX_HOST of another machine stops the start with one line that names it', async () => {
  const env = { ...(await settings()), SERVICE_SANDBOX_HOST: '203.0.113.9' };
  expect(await refusal(env)).toMatch(/^SERVICE_SANDBOX_HOST: cannot listen on port /);
});

test('a locked database stops the start with one line', async () => {
  const locked = temporaryFolder();
  const holder = new Sqlite(join(locked, 'service.db'));
  holder.pragma('journal_mode = WAL');
  holder.exec('BEGIN IMMEDIATE');
  expect(await refusal(await settings(locked))).toMatch(/SERVICE_DATABASE_URL.*lock/);
  holder.close();
});

test('a database folder that cannot be created stops the start with one line', async () => {
  const env = { ...(await settings()), SERVICE_DATABASE_URL: 'sqlite:/dev/null/service.db' };
  expect(await refusal(env)).toMatch(
    /^SERVICE_DATABASE_URL: cannot create the folder \/dev\/null: .+; correct the path/,
  );
});

test('the first start creates a demo merchant, prints a working curl call and saves its compiled code; SIGTERM stops it cleanly', async () => {
  const folder = temporaryFolder();
  const cache = temporaryFolder();
  const env: Record<string, string> = { ...(await settings(folder)), NODE_COMPILE_CACHE: cache };
  const url = `http://127.0.0.1:${env.SERVICE_PORT}`;
  const program = run(MAIN, [], env);
  await ready(program, url);
  const file = new Sqlite(join(folder, 'service.db'), { readonly: true });
  expect(file.prepare('SELECT name FROM merchants').all()).toEqual([{ name: 'Demo Shop' }]);
  file.close();
  const lines = () => program.out().split('\n').slice(0, -1);
  const line = await until(() => lines().find((each) => each.startsWith('curl ')), 'a curl call');
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
  // While it runs, so that a kill does not slow the next start down.
  const saved = () => readdirSync(cache, { recursive: true }).length;
  await until(() => saved() > 1000, 'the compiled code of all modules');
  program.kill('SIGTERM');
  expect(await program.ended).toBe(0);
  expect(program.err()).toBe('');
});

test('a full disk under its log does not stop the service', async () => {
  const env = await settings();
  const url = `http://127.0.0.1:${env.SERVICE_PORT}`;
  const program = run('-c', ['exec "$0" src/main.ts > /dev/full', process.execPath], env, { command: 'sh' });
  await ready(program, url);
  expect((await fetch(`${url}/api/v1/payments/init`, { method: 'POST' })).status).toBe(401);
  program.kill('SIGTERM');
  expect(await program.ended).toBe(0);
  expect(program.err()).toBe('');
});

test('with a real bank, the start logs what runs, unknown settings and an address without TLS', async () => {
  const env: Record<string, string> = {
    ...(await settings()),
    SERVICE_BANK: 'ifthenpay',
    SERVICE_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    SERVICE_PUBLIC_URL: 'http://pay.example',
    SERVICE_POST_RATELIMIT: '5',
  };
  const listener = `http://127.0.0.1:${env.SERVICE_PORT}`;
  const program = run(MAIN, [], env);
  await ready(program, listener);
  await until(() => program.out().includes('service started'), 'the line of the start');
  const lines = program.out().split('\n').slice(0, -1);
  const logged = lines.map((line): Record<string, string> => JSON.parse(line));
  expect(logged).toContainEqual(
    expect.objectContaining({
      level: 'info',
      msg: 'service started',
      version: VERSION,
      bank: 'ifthenpay',
      database: 'sqlite',
      listener,
      publicUrl: 'http://pay.example',
    }),
  );
  const created = expect.stringMatching(/^a new, empty database was created; .* check SERVICE_DATABASE_URL/);
  expect(logged).toContainEqual(expect.objectContaining({ level: 'warn', msg: created }));
  expect(logged).toContainEqual(
    expect.objectContaining({ level: 'warn', variable: 'SERVICE_POST_RATELIMIT' }),
  );
  const url = logged.find(({ msg }) => msg?.startsWith('SERVICE_PUBLIC_URL is not an https address'));
  expect(url).toMatchObject({ level: 'warn', publicUrl: 'http://pay.example' });
  program.kill('SIGTERM');
  expect(await program.ended).toBe(0);
});

test('--version prints the version of the service and of the command line', async () => {
  for (const file of [MAIN, 'src/cli.ts', 'src/bin.ts']) {
    const program = run(file, ['--version'], {});
    expect([await program.ended, program.out()], file).toEqual([0, `${VERSION}\n`]);
  }
});

test('an argument that the service does not know is refused, not ignored', async () => {
  for (const args of [['--port=9000'], ['sandbox', '--help']]) {
    const refusal = await refusalOf(MAIN, args, await settings());
    expect(refusal, args.join(' ')).toContain(`Unknown argument "${args.at(-1)}"`);
  }
});
