import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { contentFile } from '../../src/docs/pages.ts';
import { indexStep } from '../../src/search/indexer.ts';
import { readProgress } from '../../src/search/store.ts';
import { signedIn } from '../backoffice/support.ts';
import { temporaryFolder } from '../support/database.ts';
import { startService } from '../support/harness.ts';
import { urls } from '../support/known-urls.ts';
import { administer } from '../support/postgres-server.ts';

const server = inject('postgresUrl') ?? '';

/** Runs these statements, each in its own transaction. */
async function runEach(url: string, ...statements: string[]): Promise<void> {
  for (const statement of statements) await administer(url, statement);
}

/** Runs the statements of the guide as a terminal does, which goes on after an error. Resolves to the errors. */
async function pasteGuide(url: string): Promise<string[]> {
  const [, sql = ''] =
    /```sql\n([\s\S]*?)```/.exec(readFileSync(contentFile('en', 'running-it'), 'utf8')) ?? [];
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const errors: string[] = [];
  for (const statement of sql.split(';\n').filter((text) => text !== ''))
    await client.query(statement).catch((error: Error) => errors.push(error.message));
  await client.end();
  return errors;
}

/** The address of an empty database for a user who may create tables in it but no extension. */
async function databaseOfPlainUser(): Promise<{ admin: string; url: string }> {
  const name = `plain_${randomBytes(4).toString('hex')}`;
  await runEach(server, `create database ${name}`, `create role ${name} login password 'plain'`);
  onTestFinished(() => runEach(server, `drop database ${name} with (force)`, `drop role ${name}`));
  const admin = Object.assign(new URL(server), { pathname: name }).href;
  await administer(admin, `grant all on schema public to ${name}`);
  return { admin, url: Object.assign(new URL(admin), { username: name, password: 'plain' }).href };
}

test('without the right to create pg_trgm the service starts, logs it, and its search finds everything', async () => {
  const { admin, url } = await databaseOfPlainUser();
  const start = async () => {
    const folder = temporaryFolder();
    urls.set(folder, url);
    return await startService({
      folder,
      env: { SERVICE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') },
    });
  };
  const service = await start();
  const { deps } = service.app;
  expect(service.logged()).toContain('the PostgreSQL extension pg_trgm is not in use');
  const operator = await signedIn(service, { role: 'operator' });
  const { storage } = (await operator.query('system.show')).value;
  expect(storage).toMatchObject({ slowSearch: true, level: 'good' });

  const merchant = await service.merchant();
  const id = await merchant.init({
    orderId: 'WEB-42',
    customer: { name: 'Joana Conceição', email: 'j@mail.pt' },
  });
  await merchant.init({ orderId: 'other' });
  const found = async (search: string) => {
    const { value } = await operator.query('transactions.list', { merchantId: null, limit: 10, search });
    return value.rows.map((row: { transactionId: string }) => row.transactionId);
  };
  expect(await found('conceicao')).toEqual([id]);
  const clock = { ...deps.clock, now: () => Date.now() + 60_001 };
  while (await indexStep({ db: deps.db, clock }));
  expect((await readProgress(deps.db.read)).documents).toBeGreaterThan(2);
  expect([await found('conceicao'), await found('eb-4')]).toEqual([[id], [id]]);
  await service.app.close();

  const errors = await pasteGuide(url);
  expect(errors[0]).toContain('permission denied to create extension');
  expect(
    await administer(admin, "select 1 from pg_indexes where indexname = 'search_documents_text'"),
  ).toHaveLength(1);
  expect(await pasteGuide(admin)).toEqual([]);
  expect((await start()).logged()).not.toContain('pg_trgm');
});
