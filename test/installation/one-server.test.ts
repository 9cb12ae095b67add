import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { SCHEMA_VERSION } from '../../src/db/migrate.ts';
import { jsonHere, runHere } from '../cli/support.ts';
import { temporaryFolder } from '../support/database.ts';
import { freePort, refusalOf } from '../support/process.ts';
import { until } from '../support/until.ts';
import { programs } from './programs.ts';

test('a second service on a SQLite file does not start and repeats no delivery; after kill -9 the next one starts at once', async () => {
  // Answers nothing, so that the delivery of the first service stays under way.
  const { folder, env, receiver, sandboxUrl, start } = await programs(() => {});
  const first = await start();
  const json = (...line: string[]) => jsonHere(folder, line, env);
  const hook = ['--domain', 'shop.pt', '--webhook-url', receiver.url];
  const { merchantId } = await json('merchant', 'create', '--name', 'Shop', ...hook);
  await json('webhook', 'test', merchantId);
  await until(() => receiver.requests.length === 1, 'the delivery to start');

  const port = String(await freePort());
  const SERVICE_SECRET_KEY = Buffer.alloc(32, 1).toString('base64');
  const newKey = { ...env, SERVICE_SECRET_KEY, SERVICE_SECRET_KEY_PREVIOUS: env.SERVICE_SECRET_KEY };
  const file = join(folder, 'service.db');
  const link = join(temporaryFolder(), 'link.db');
  symlinkSync(file, link);
  const more = {
    SERVICE_PORT: port,
    SERVICE_SANDBOX_URL: sandboxUrl,
    SERVICE_DATABASE_URL: `sqlite:${link}`,
  };
  const older = String(SCHEMA_VERSION - 1);
  const setSchema = (version: string) => {
    const handle = new Sqlite(file);
    handle.prepare(`update meta set value = ? where key = 'schema_version'`).run(version);
    handle.close();
  };
  // The first service stands for an older version.
  setSchema(older);
  expect(await refusalOf('src/main.ts', [], { ...newKey, ...more })).toContain(
    `SERVICE_DATABASE_URL: another service runs on the database file ${link}`,
  );
  const handle = new Sqlite(file, { readonly: true });
  const attempts = handle.prepare('select error from delivery_attempts where number = 1').all();
  const schema = handle.prepare(`select value from meta where key = 'schema_version'`).pluck().get();
  handle.close();
  expect(schema).toBe(older);
  setSchema(String(SCHEMA_VERSION));
  expect(JSON.stringify(attempts)).not.toContain('interrupted');

  expect(readdirSync(folder)).not.toContain('service.db-lock-journal');
  // The refused start does not count: the running service could not read what the new key encrypts.
  const rotated = await runHere(folder, 'secrets rotate', newKey);
  expect(rotated.stderr).toContain('has not been started with the new key yet');

  first.kill('SIGKILL');
  await first.ended;
  const next = await start();
  await until(() => next.out().includes('interrupted deliveries are sent again'), 'the takeover');
});
