import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { writeMeta } from '../../src/db/meta.ts';
import { MIGRATIONS, type Migration, migrate, SCHEMA_VERSION } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open.ts';
import { createSession } from '../checkout/support.ts';
import { runHere } from '../cli/support.ts';
import { databaseUrl, temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { startService, startWithMerchant } from '../support/harness.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';

/** What a later release may add: a column to every table, one of them with a value, a table and an index. */
const LATER: Migration = {
  name: '9999-later',
  async up(db: Kysely<unknown>) {
    for (const { name } of await db.introspection.getTables()) {
      if (name === 'meta' || name.startsWith('search_index')) continue;
      await db.schema.alterTable(name).addColumn('later', 'text').execute();
      await db.schema
        .alterTable(name)
        .addColumn('later_count', 'integer', (c) => c.notNull().defaultTo(0))
        .execute();
    }
    await db.schema.createTable('later_things').addColumn('id', 'text').execute();
    await sql`create unique index later_transactions on transactions (later) where later is not null`.execute(
      db,
    );
  },
};

test('on a schema that a later release extended, this version starts, takes payments and sends their events', async () => {
  const folder = temporaryFolder();
  const url = await databaseUrl(folder, () => {});
  const db = await openDatabase(url);
  expect(await migrate(db, [...MIGRATIONS, LATER])).toEqual({
    from: SCHEMA_VERSION,
    to: SCHEMA_VERSION + 1,
    applied: ['9999-later'],
  });
  await db.close();
  const receiver = await startReceiver();
  const service = await startService({ folder, webhookCa: receiver.ca });
  const shop = await service.merchant({ webhookUrl: receiver.url });
  await shop.pay();
  await shop.payReference();
  await shop.post(
    '/payments/init',
    { orderId: 'K', amount: 1, storeUrl: 'https://shop.pt' },
    { 'idempotency-key': 'k' },
  );
  await until(() => receiver.requests.length === 2, 'both deliveries');
  const { deps } = service.app;
  expect(await migrate(deps.db)).toEqual({
    from: SCHEMA_VERSION + 1,
    to: SCHEMA_VERSION + 1,
    applied: [],
  });
});

test('while a later release extends the schema, this version goes on with the connections that it has', async () => {
  const folder = temporaryFolder();
  await databaseUrl(folder, () => {});
  const { service, merchant: shop } = await startWithMerchant({ folder });
  const { url } = (await createSession(service, shop, { orderId: 'S' })).body;
  /** The statuses of as many loads at a time as there are connections for reads. */
  const show = async () =>
    new Set((await Promise.all(Array.from({ length: 8 }, () => fetch(url)))).map(({ status }) => status));
  await shop.pay({ orderId: 'A' });
  expect(await show()).toEqual(new Set([200]));
  await migrate(service.app.deps.db, [...MIGRATIONS, LATER]);
  expect(await show()).toEqual(new Set([200]));
  await shop.pay({ orderId: 'B' });
});

async function setVersion(db: Database, version: number): Promise<void> {
  await db.unit((tx) => writeMeta(tx, 'schema_version', String(version)));
}

test('a version too old for a contracted schema stops with one line', async () => {
  const db = await temporaryDatabase();
  const known = SCHEMA_VERSION;
  const contracting = { name: '9998-contract', knownMin: known + 1, up: async () => {} };
  const added = { name: '9999-later', up: async () => {} };
  await migrate(db, [...MIGRATIONS, contracting, added]);
  await expect(migrate(db)).rejects.toThrow(
    `SERVICE_DATABASE_URL: the database has schema ${known + 2}, which needs a program that knows ${known + 1}; this one knows ${known}: run a newer version of the service`,
  );
  // A version that knows the contraction but not the later addition can continue.
  expect(await migrate(db, [...MIGRATIONS, contracting])).toMatchObject({ applied: [] });
  await db.unit((tx) => tx.deleteFrom('meta').where('key', '=', 'schema_known_min').execute());
  await setVersion(db, known);
});

test('a database from before the first migration is refused with the version to start first', async () => {
  const db = await temporaryDatabase();
  await setVersion(db, 10);
  await expect(migrate(db)).rejects.toThrow(
    'SERVICE_DATABASE_URL: the database has schema 10, and this version upgrades schema 11 and later: start the version of 2026-11-22 on it first',
  );
  await setVersion(db, SCHEMA_VERSION);
});

test('"migrate" prints the applied migrations, and none the second time', async () => {
  const folder = temporaryFolder();
  const names = MIGRATIONS.map(({ name }) => name);
  const run = async () => JSON.parse((await runHere(folder, ['migrate', '--json'])).stdout);
  expect(await run()).toEqual({ from: 0, to: SCHEMA_VERSION, applied: names });
  expect(await run()).toEqual({ from: SCHEMA_VERSION, to: SCHEMA_VERSION, applied: [] });
});
