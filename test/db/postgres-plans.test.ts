import { CompiledQuery, sql } from 'kysely';
import { expect, test } from 'vitest';
import { rowsOfIds, rowsOfSpan } from '../../src/backoffice/transactions/store.ts';
import type { Tx } from '../../src/db/database.ts';
import { preparedNames } from '../../src/db/prepared.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { receiptTotals } from '../../src/payments/statement/totals-store.ts';
import { findKey } from '../../src/rpc/store.ts';
import { endAttempts } from '../../src/webhooks/delivery/attempts-store.ts';
import { claimDue } from '../../src/webhooks/delivery/claim.ts';
import { dueHead, nextDueAt } from '../../src/webhooks/delivery/due-store.ts';
import { finishDeliveries } from '../../src/webhooks/delivery/store.ts';
import { createAutoRecovery } from '../../src/webhooks/recovery/auto-recovery.ts';
import { setup } from '../payments/setup.ts';
import { rowsIn } from '../support/database.ts';
import { insertRows } from '../support/rows.ts';
import { endOtherConnections } from '../support/statistics.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { announceMany, numberAll, webhookKit, writeDelivery } from '../webhooks/kit.ts';

test('outcomes read their own rows of a long queue, by plans that were made while the queue was short', async () => {
  const kit = await webhookKit();
  const shop = await kit.shop('https://shop.example/hook');
  const batch = async () => {
    await numberAll(kit);
    const due = await dueHead(kit.db.read, { now: kit.clock.now() }, 'fresh', 24);
    const { claimed } = await claimDue(kit.deps, due, { queue: 'fresh' });
    const outcome = {
      merchant_id: shop.id,
      duration_ms: 1,
      status: 200,
      error: null,
      error_detail: null,
      response: null,
    };
    return await kit.db.unit(async (tx) => {
      const before = await rowsRead(tx);
      await endAttempts(
        tx,
        claimed.map(({ delivery, number }) => ({ ...outcome, delivery_id: delivery.id, number })),
      );
      await finishDeliveries(
        tx,
        claimed.map(({ delivery }) => delivery),
        { state: 'delivered', now: 1 },
      );
      return ((await rowsRead(tx)) - before) / claimed.length;
    });
  };
  await announceMany(kit, shop, 900);
  // The server keeps a plan after five uses of a statement.
  for (let i = 0; i < 15; i++) await batch();
  expect(await batch()).toBeLessThan(8);
});

test('a recovery that waits for a success does not read all undelivered deliveries again and again', async () => {
  const kit = await webhookKit();
  const shop = await kit.shop('https://shop.example/hook');
  await kit.set(shop, { auto_recover: 1 });
  const { id } = await writeDelivery(kit, shop, 'undelivered');
  const row = await kit.delivery(id);
  const missed = Array.from({ length: 2000 }, () => ({ ...row, id: kit.deps.ids('dlv') }));
  await insertRows(kit.db, 'deliveries', ...missed);
  const since_at = kit.clock.now();
  await insertRows(kit.db, 'auto_recoveries', { merchant_id: shop.id, since_at, missed_at: since_at });
  await kit.clock.advance(3_600_000);
  const read: number[] = [];
  const unit: typeof kit.db.unit = (work) =>
    kit.db.unit(async (tx) => {
      const before = await rowsRead(tx);
      const value = await work(tx);
      read.push((await rowsRead(tx)) - before);
      return value;
    });
  const job = createAutoRecovery({ ...kit.deps, db: Object.create(kit.db, { unit: { value: unit } }) });
  job.start();
  await until(async () => {
    await kit.clock.advance(1000);
    return read.length > 3;
  });
  await job.stop();
  expect(read[0]).toBeGreaterThan(1000);
  for (const rows of read.slice(1)) expect(rows).toBeLessThan(100);
});

/** How the statements of a delivery begin. */
const OF_DELIVERY = [
  'select "id", "merchant_id" from "deliveries"',
  'with recursive walk',
  'select "d"."id", "d"."event_id"',
  'update events set sequence',
  'update "deliveries" set "claim_token"',
  'update "deliveries" set "next_attempt_at"',
  'update "deliveries" set "state"',
  'update "deliveries" set "blocked"',
  'update "delivery_attempts" set "duration_ms"',
];

test('each statement of a delivery reads one index, and a statement of a single merchant never reads the queue of all', async () => {
  const receiver = await startReceiver((_request, response, count) => {
    response.statusCode = count === 1 ? 500 : 200;
    response.end();
  });
  const kit = await webhookKit();
  const shop = await kit.shop(receiver.url);
  await announceMany(kit, shop, 300);
  kit.start({ ca: receiver.ca });
  const delivered = kit.db.read
    .selectFrom('deliveries')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('state', '=', 'delivered');
  await until(
    async () => Number((await delivered.executeTakeFirst())?.count) === 299,
    'all but the refused one to be delivered',
  );
  // Most rows of the tables are this merchant's, which tempts the planner to read the indexes of merchants.
  await announceMany(kit, await kit.shop(null), 300);
  const plans = await kit.db.unit(async (tx) => {
    await sql`analyze deliveries, delivery_attempts, events`.execute(tx);
    return await plansOf(tx, (text) => OF_DELIVERY.some((start) => text.trimStart().startsWith(start)));
  });
  const wrong = plans.filter(
    ({ text, plan }) =>
      /Bitmap|Seq Scan|hashed SubPlan/.test(plan) ||
      // Due rows are read in order, so that the query ends at the first.
      (/coalesce\((d\.)?retry_at/.test(text) && !/Index Cond: .*COALESCE\(.*retry_at/.test(plan)) ||
      (/"?merchant_id"? [=>]/.test(text) && plan.includes('scheduled_of_all')),
  );
  expect(wrong).toEqual([]);
  const texts = plans.map(({ text }) => text).join('\n');
  for (const start of OF_DELIVERY) expect(texts).toContain(start);
});

/** How PostgreSQL runs the prepared statements that `matches` accepts, whatever their values. */
async function plansOf(
  tx: Tx,
  matches: (text: string) => boolean,
): Promise<{ text: string; plan: string }[]> {
  const found: { text: string; plan: string }[] = [];
  for (const text of preparedNames.keys()) {
    if (!matches(text)) continue;
    const { rows } = await tx.executeQuery<{ 'QUERY PLAN': string }>(
      CompiledQuery.raw(`explain (generic_plan) ${text}`),
    );
    found.push({ text, plan: rows.map((row) => row['QUERY PLAN']).join('\n') });
  }
  return found;
}

test('due deliveries are never read by the index of their transactions', async () => {
  const kit = await webhookKit();
  await announceMany(kit, await kit.shop('https://shop.example/hook'), 10);
  await numberAll(kit);
  const now = kit.clock.now();
  await nextDueAt(kit.db.read, now);
  await claimDue(kit.deps, await dueHead(kit.db.read, { now }, 'fresh', 10), { queue: 'fresh' });
  const plans = await kit.db.unit(async (tx) => {
    // Shows which other indexes the planner could read, as it does after some statistics.
    await sql`drop index deliveries_scheduled, deliveries_scheduled_of_all, deliveries_log`.execute(tx);
    await sql`alter table deliveries drop constraint deliveries_pkey cascade`.execute(tx);
    return await plansOf(
      tx,
      (text) => /^select .*"deliveries"/.test(text) && !text.includes('transaction_id" ='),
    );
  });
  expect(plans.length).toBeGreaterThan(3);
  for (const { plan } of plans) expect(plan).not.toContain('deliveries_of_transaction');
});

test('an event that gets its number is never searched among all unnumbered events', async () => {
  const kit = await webhookKit();
  await announceMany(kit, await kit.shop(null), 300);
  await numberAll(kit);
  const plans = await kit.db.unit(async (tx) => {
    // Shows which other indexes the planner could read, as it does after some statistics.
    await sql`alter table events drop constraint events_pkey cascade`.execute(tx);
    return await plansOf(tx, (text) => text.includes('update events set sequence'));
  });
  expect(plans).toHaveLength(1);
  for (const { plan } of plans) expect(plan).not.toContain('events_unnumbered');
});

test('keys are looked up without reading all merchants', async () => {
  const kit = await webhookKit();
  for (let i = 0; i < 400; i++) await kit.shop(null);
  await findKey(kit.db.read, 'unknown', 0);
  const plans = await kit.db.unit(async (tx) => {
    await sql`insert into api_keys (id, merchant_id, hash, secret, created_at)
      select 'key_' || id, id, id, '', 0 from merchants`.execute(tx);
    await sql`analyze merchants, api_keys`.execute(tx);
    // As reads are planned.
    for (const kind of ['seqscan', 'hashjoin', 'mergejoin', 'bitmapscan']) {
      await sql`set local ${sql.ref(`enable_${kind}`)} = on`.execute(tx);
    }
    return await plansOf(tx, (text) => text.startsWith('select "api_keys"."hash"') && text.includes('any('));
  });
  expect(plans).toHaveLength(1);
  for (const { plan } of plans) expect(plan).not.toContain('Seq Scan on merchants');
});

test('an order checks its merchant without reading all merchants', async () => {
  const { deps, init } = await setup();
  const { read } = deps.db;
  const scans = async () => {
    await endOtherConnections(read);
    return (await sql`select seq_scan from pg_stat_user_tables where relname = 'merchants'`.execute(read))
      .rows;
  };
  await sql`analyze merchants`.execute(read);
  const before = await scans();
  for (let i = 0; i < 10; i++) await init();
  expect(await rowsIn(deps.db, 'transactions')).toBe(10);
  expect(await scans()).toEqual(before);
});

test('the totals of a day do not read the money of other days', async () => {
  const kit = await webhookKit();
  const { id } = await kit.shop(null);
  const account = kit.deps.ids('acc');
  await insertRows(kit.db, 'bank_accounts', { id: account });
  const read = await kit.db.unit(async (tx) => {
    await sql`insert into transactions
      (id, merchant_id, order_id, amount_cents, status, held, paid_at, paid_method, store_domain, created_at, events_count)
      select 'tx_' || i, ${id}, i, 1, 'paid', 0, i, 'MBWAY', 'shop.pt', i, 0 from generate_series(1, 20000) i`.execute(
      tx,
    );
    await sql`insert into receipts
      (id, identity, transaction_id, merchant_id, account_id, amount_cents, paid_at, recorded_at, late, duplicate, under, over, unmatched, record)
      select 'rcp_' || i, i, 'tx_' || i, ${id}, ${account}, 1, i, i, 0, 0, 0, 0, 0, '' from generate_series(1, 20000) i`.execute(
      tx,
    );
    await sql`analyze transactions, receipts`.execute(tx);
    for (const kind of ['seqscan', 'hashjoin', 'mergejoin', 'bitmapscan']) {
      await sql`set local ${sql.ref(`enable_${kind}`)} = on`.execute(tx);
    }
    const before = await rowsRead(tx, ['transactions', 'receipts']);
    const day = { day: '2026-01-10', from_at: 1000, until_at: 1100 };
    expect(await receiptTotals(tx, [day], { merchantId: id, unheld: true })).toMatchObject([{ count: 100 }]);
    return (await rowsRead(tx, ['transactions', 'receipts'])) - before;
  });
  expect(read).toBeLessThan(500);
});

test('the transactions that need attention are found without reading the receipts of others', async () => {
  const kit = await webhookKit();
  const { id: merchant_id } = await kit.shop(null);
  const account_id = kit.deps.ids('acc');
  await insertRows(kit.db, 'bank_accounts', { id: account_id });
  const ids = Array.from({ length: 3000 }, () => kit.deps.ids('tx'));
  const held = { merchant_id, status: 'pending', held: 1, created_at: 1 } as const;
  await insertRows(kit.db, 'transactions', ...ids.map((id) => ({ ...held, id })));
  const of = (transaction_id: Id<'tx'>) => ({ transaction_id, identity: transaction_id, under: 1 });
  const receipts = ids.map((id) => ({ ...of(id), id: kit.deps.ids('rcp'), merchant_id, account_id }));
  await insertRows(kit.db, 'receipts', ...receipts);
  const open = { state: null, method: null, conditions: [{ kind: 'attention' } as const], unheld: true };
  const read = await kit.db.unit(async (tx) => {
    await sql`analyze transactions, receipts`.execute(tx);
    for (const kind of ['seqscan', 'hashjoin', 'mergejoin', 'bitmapscan']) {
      await sql`set local ${sql.ref(`enable_${kind}`)} = on`.execute(tx);
    }
    const before = await rowsRead(tx, ['transactions', 'receipts']);
    const span = { from: '', before: '~' };
    expect(await rowsOfSpan(tx, merchant_id, span, open, 50)).toHaveLength(50);
    const middle = await rowsRead(tx, ['transactions', 'receipts']);
    expect(await rowsOfIds(tx, merchant_id, ids.slice(0, 50), open)).toHaveLength(50);
    return [middle - before, (await rowsRead(tx, ['transactions', 'receipts'])) - middle];
  });
  for (const rows of read) expect(rows).toBeLessThan(300);
});

/** The rows of these tables that this connection has read. */
async function rowsRead(tx: Tx, tables = ['deliveries', 'delivery_attempts']): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) as read from pg_stat_xact_user_tables
    where relname = any(${tables})`.execute(tx);
  return Number(rows[0]?.read);
}
