import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import type { Database, Tx } from '../../src/db/database.ts';
import { MIGRATIONS, migrate } from '../../src/db/migrate.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import { until } from '../support/until.ts';
import { ask, serverOfTest } from './outage-kit.ts';

/** A receipt without a merchant and what was written about it, without the rows that they refer to. */
const STRAY = `set session_replication_role = replica;
  insert into receipts (id, identity, account_id, amount_cents, paid_at, recorded_at, late, duplicate, under, over, unmatched, record)
    values ('rcp_1', 'one', 'acc_1', 1000, 1, 1, 0, 0, 0, 0, 1, '{}');
  insert into refunds (id, receipt_id, account_id, amount_cents, state, created_at)
    values ('ref_1', 'rcp_1', 'acc_1', 100, 'awaiting_transfer', 1);
  insert into refund_history (refund_id, number, at, state, actor) values ('ref_1', 1, 1, 'awaiting_transfer', 'service');
  insert into receipt_notes (id, receipt_id, at, actor, kind, text, by_operator, internal)
    values ('rno_1', 'rcp_1', 1, 'service', 'note', 'Whose is it?', 1, 1);
  set session_replication_role = origin`;

test('a receipt that an older version assigns while the merchants of its rows are filled takes them with it', async () => {
  const server = await serverOfTest();
  const pool = new pg.Pool({ connectionString: server.url('pcs') });
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  onTestFinished(() => kysely.destroy());
  const db: Pick<Database, 'engine' | 'unit'> = {
    engine: 'postgres',
    unit: (work) => kysely.transaction().execute((tx) => work(tx as unknown as Tx)),
  };
  const before = MIGRATIONS.findIndex(({ name }) => name === '0034-merchants-of-rows');
  await migrate(db, MIGRATIONS.slice(0, before));
  const old = await pool.connect();
  await old.query(STRAY);
  await old.query('begin');
  await old.query("update receipts set unmatched = 0, merchant_id = 'mer_1'");
  const migrated = migrate(db);
  const waiting = "select pid from pg_locks where not granted and relation = 'receipts'::regclass";
  await until(async () => (await ask(server, waiting)).length > 0, 'the migration to wait');
  await old.query("update refunds set merchant_id = 'mer_1'");
  await old.query(`insert into receipt_notes (id, receipt_id, at, actor, kind, text, by_operator, internal)
    values ('rno_2', 'rcp_1', 2, 'service', 'assigned', '', 1, 0)`);
  await old.query('commit');
  old.release();
  expect((await migrated).to).toBe(MIGRATIONS.length);
  const merchants = `select merchant_id from refunds union all select merchant_id from refund_history
    union all select merchant_id from receipt_notes`;
  expect(await ask(server, merchants)).toEqual(Array(4).fill({ merchant_id: 'mer_1' }));
});
