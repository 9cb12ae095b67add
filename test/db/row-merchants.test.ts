import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Tables } from '../../src/db/tables/tables.ts';
import { cents } from '../../src/kernel/money.ts';
import { SETTINGS, setup } from '../payments/setup.ts';

/** Inserts as they are written by versions that do not know the column. */
const OLD_INSERTS = [
  `insert into refunds (id, receipt_id, account_id, amount_cents, state, created_at)
   select 'ref_1', id, account_id, 100, 'awaiting_transfer', 1 from receipts`,
  "insert into refund_history (refund_id, number, at, state, actor) values ('ref_1', 1, 1, 'awaiting_transfer', 'service')",
  `insert into receipt_notes (id, receipt_id, at, actor, kind, text, by_operator, internal)
   select 'rno_1', id, 1, 'service', 'note', 'Whose is it?', 1, 1 from receipts`,
  `insert into reported_refunds (id, identity, account_id, receipt_id, reported_at)
   select 'rep_1', 'one', account_id, id, 1 from receipts`,
];
const CHILDREN = ['refunds', 'refund_history', 'receipt_notes', 'reported_refunds'] as const;

async function withStray() {
  const kit = await setup();
  const { db } = kit.deps;
  kit.bank.foreign(cents(1000));
  await kit.pass(SETTINGS.reconcileMs);
  const transactionId = await kit.init();
  const run = (statement: string) => db.unit((tx) => sql.raw(statement).execute(tx));
  const merchants = async (tables: readonly (keyof Tables)[]) => {
    const found = [];
    for (const table of tables)
      found.push(
        ...(await sql<{ m: string }>`select merchant_id as m from ${sql.table(table)}`.execute(db.read)).rows,
      );
    return found.map(({ m }) => m);
  };
  /** Assigns the receipt as an older version does. */
  const assign = () =>
    run(
      `update receipts set unmatched = 0, transaction_id = '${transactionId}', merchant_id = '${kit.merchant.id}'`,
    );
  return { ...kit, transactionId, run, merchants, assign };
}

test('what an older version writes about an assigned receipt gets its merchant', async () => {
  const { run, merchants, assign, merchant } = await withStray();
  await assign();
  for (const insert of OLD_INSERTS) await run(insert);
  expect(await merchants(CHILDREN)).toEqual(CHILDREN.map(() => merchant.id));
});

test('when an older version assigns a receipt, what was written about it before follows', async () => {
  const { run, merchants, assign, merchant } = await withStray();
  for (const insert of OLD_INSERTS) await run(insert);
  expect(await merchants(CHILDREN)).toEqual(CHILDREN.map(() => null));
  await assign();
  expect(await merchants(CHILDREN)).toEqual(CHILDREN.map(() => merchant.id));
});

test('an attempt that an older version begins gets the merchant of its delivery', async () => {
  const { run, merchants, merchant, transactionId } = await withStray();
  await run(`insert into events (id, merchant_id, transaction_id, kind, body, created_at)
    values ('evt_1', '${merchant.id}', '${transactionId}', 'payment.failed', '{}', 1)`);
  await run(`insert into deliveries (id, event_id, merchant_id, kind, state, blocked, attempts_count, next_attempt_at, created_at)
    values ('dlv_1', 'evt_1', '${merchant.id}', 'payment.failed', 'due', 0, 1, 9, 5)`);
  await run("insert into delivery_attempts (delivery_id, number, started_at) values ('dlv_1', 1, 1)");
  expect(await merchants(['delivery_attempts'])).toEqual([merchant.id]);
});
