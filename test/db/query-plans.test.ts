import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, expect, test, vi } from 'vitest';
import {
  type CaseFilter,
  caseRows,
  sumCases,
  transactionsNearby,
  transactionsOfReference,
} from '../../src/backoffice/exceptions/store.ts';
import { refundRows, sumRefunds } from '../../src/backoffice/refunds/store.ts';
import { requestsBefore } from '../../src/backoffice/requests/store.ts';
import { heldRows, heldTotals } from '../../src/backoffice/review/store.ts';
import * as log from '../../src/backoffice/webhook/store.ts';
import { pruneCallbacks } from '../../src/banks/prune-store.ts';
import type { Tx } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open.ts';
import { cents } from '../../src/kernel/money.ts';
import { RECEIPT_FLAGS } from '../../src/kernel/payment-enums.ts';
import { listLeads } from '../../src/leads/list.ts';
import { listMerchants } from '../../src/merchants/view.ts';
import * as reported from '../../src/payments/refunds/reported-store.ts';
import { refundPage } from '../../src/payments/refunds/view-store.ts';
import { listReceipts } from '../../src/payments/show.ts';
import { receiptsBetween, refundsBetween } from '../../src/payments/statement/store.ts';
import { receiptTotals, refundTotals } from '../../src/payments/statement/totals-store.ts';
import { pruneRequests } from '../../src/requests/prune-store.ts';
import { pruneAnswers } from '../../src/rpc/prune-store.ts';
import * as attempts from '../../src/webhooks/delivery/attempts-store.ts';
import * as due from '../../src/webhooks/delivery/due-store.ts';
import { pruneDeliveryAttempts } from '../../src/webhooks/delivery/prune-store.ts';
import * as outbox from '../../src/webhooks/delivery/store.ts';
import * as numbers from '../../src/webhooks/numbering-store.ts';
import * as recovery from '../../src/webhooks/recovery/store.ts';
import * as webhooks from '../../src/webhooks/store.ts';
import { temporaryFolder } from '../support/database.ts';
import { expectPlans, explainedDatabase } from '../support/explained.ts';
import { startWithMerchant } from '../support/harness.ts';

afterEach(() => vi.restoreAllMocks());

/**
 * Reading from end to end is right only where everything is wanted: the sweep reads the list of each bank account, and
 * `json_each` is the list in a statement's parameter.
 */
const READ_WHOLE = new Set(['bank_accounts', 'json_each']);

test('no statement from init to payment scans a table', async () => {
  // Migrations run once and may read what they like.
  const folder = temporaryFolder();
  await (await openDatabase(`sqlite:${join(folder, 'service.db')}`)).close();
  const statements = new Set<string>();
  const prepare = Sqlite.prototype.prepare;
  vi.spyOn(Sqlite.prototype, 'prepare').mockImplementation(function (this: Sqlite.Database, source: string) {
    if (this.name.endsWith('service.db')) statements.add(source);
    return prepare.call(this, source);
  });
  const { service, merchant } = await startWithMerchant({
    folder,
    env: {
      SERVICE_MBWAY_WINDOW_SECONDS: '1',
      SERVICE_MBWAY_GRACE_SECONDS: '0',
      SERVICE_PENDING_HOURS: '0.0003',
    },
  });
  const push = async (phoneNumber: string, wanted: string) => {
    const id = await merchant.push(phoneNumber);
    await merchant.reaches(id, wanted);
  };
  await Promise.all([push('911000001', 'paid'), push('911000002', 'failed'), push('911000003', 'cancelled')]);
  await service.control('/faults', { mode: 'error500', times: 1 });
  await push('931112231', 'cancelled');
  await merchant.payReference();
  await merchant.reaches(await merchant.init(), 'cancelled');
  await merchant.post(
    '/payments/init',
    { orderId: 'K', amount: 1, storeUrl: 'https://shop.pt' },
    { 'idempotency-key': 'k' },
  );
  await listReceipts(service.app.deps, { flag: 'late', limit: 100 });
  await listReceipts(service.app.deps, { limit: 100 });
  await listLeads(service.app.deps, { merchantId: merchant.merchantId, limit: 10 });
  await listMerchants(service.app.deps, { limit: 10 });

  const file = new Sqlite(service.app.deps.settings.databaseUrl.slice('sqlite:'.length));
  const scans: string[] = [];
  for (const source of statements) {
    if (!/^\s*(select|insert|update|delete|with)/i.test(source)) continue;
    const values = Array.from(source.matchAll(/\?/g), () => null);
    const plan = file.prepare(`explain query plan ${source}`).all(...values) as { detail: string }[];
    for (const { detail } of plan) {
      const [, table] = /^SCAN (\S+)/.exec(detail) ?? [];
      const indexed = detail.includes('USING');
      if (table !== undefined && !indexed && /^[a-z_]+$/.test(table) && !READ_WHOLE.has(table)) {
        scans.push(`${detail}: ${source}`);
      }
    }
  }
  file.close();
  expect(statements.size).toBeGreaterThan(40);
  expect(scans).toEqual([]);
});

/** A scan of a table. A list in the statement itself, or a partial index with few rows, may be scanned. */
const FULL_SCAN =
  /^SCAN (?!json_each|walk|due|newest|open|held|near|\(subquery|CONSTANT|\d+ CONSTANT|\d+-ROW VALUES|receipts USING INDEX receipts_(open|settled)|transactions USING (COVERING )?INDEX transactions_held)/;

test('no query of webhooks scans a table', async () => {
  const { db, explained } = await explainedDatabase();
  const tx = db as unknown as Tx;

  for (const queue of ['fresh', 'recovery'] as const) {
    await due.dueHead(db, { now: 1 }, queue, 10);
    await due.dueOfMerchant(db, { merchantId: 'mer_1', now: 1 }, queue, 10);
    await due.walkMerchants(db, { after: '', now: 1, limit: 10 }, queue);
    await due.oldestDueAt(db, 1, queue);
  }
  await due.nextDueAt(db, 1);
  await due.queueState(db, 1);
  await webhooks.earlierDue(db, { merchantId: 'mer_1', transactionId: 'tx_1', transactionSequence: 2 });
  await webhooks.findDelivery(db, 'dlv_1');
  await webhooks.eventsOfTransaction(db, 'tx_1');
  await webhooks.deliveriesOfTransaction(db, 'tx_1');
  await webhooks.attemptsOfDeliveries(db, [{ id: 'dlv_1' }, { id: 'dlv_2' }]);
  const deliveries = (['dlv_1', 'dlv_2'] as const).map((id) => ({
    id,
    merchant_id: 'mer_1' as const,
    transaction_id: 'tx_1' as const,
  }));
  await outbox.lockSendable(tx, deliveries, { now: 1 });
  await outbox.claimDeliveries(tx, deliveries, { token: 't', until: 2 });
  for (const delivery of deliveries)
    await attempts.markInterrupted(tx, { ...delivery, attempts_count: 1 }, 'interrupted');
  await attempts.countInterrupted(db, deliveries);
  const ended = deliveries.map(({ id, merchant_id }) => ({
    delivery_id: id,
    merchant_id,
    number: 1,
    duration_ms: 1,
    status: 200,
    error: null,
    error_detail: null,
    response: null,
  }));
  await attempts.endAttempts(tx, ended);
  await outbox.finishDeliveries(tx, deliveries, { state: 'delivered', now: 1, token: 't' });
  await outbox.scheduleRetries(tx, deliveries, { token: 't', at: 1 });
  await outbox.unblockNext(tx, deliveries);
  await outbox.releaseClaims(tx, 1);
  await outbox.releaseClaims(tx, 1, ['instance']);

  await webhooks.eventsAfter(db, 'mer_1', 5, 10);
  await numbers.unnumberedEvents(db, {}, 10);
  await numbers.writeNumbers(tx, [
    { id: 'evt_1', merchant_id: 'mer_1', sequence: 1 },
    { id: 'evt_2', merchant_id: 'mer_1', sequence: 2 },
  ]);
  const place = { finishedAt: 1, id: 'dlv_1' };
  await recovery.lastMissed(db, 'mer_1');
  await recovery.missedPage(db, 'mer_1', { after: place, last: place, limit: 10 });
  await recovery.lockSiblings(
    tx,
    deliveries.map((one) => ({ ...one, event_id: 'evt_1' as const })),
  );
  await recovery.transactionSequences(db, [{ transaction_id: 'tx_1' }, { transaction_id: 'tx_2' }]);
  await expect(recovery.completeRecovery(tx, 'rcv_1', 1)).rejects.toThrow('no result');
  await recovery.recoveriesOf(db, 'mer_1', 10);
  await recovery.countRecovered(db, 'rcv_1');

  expect(explained.length).toBeGreaterThanOrEqual(37);
  expectPlans(explained, FULL_SCAN);
});

test('rows older than their retention are found by a key in the order of age', async () => {
  const { db, handle, explained } = await explainedDatabase();
  const tx = db as unknown as Tx;
  // With an old row of each table, the second statement of a batch runs as well.
  handle.exec(`
    pragma foreign_keys = off;
    insert into delivery_attempts (delivery_id, number, started_at) values ('dlv_00', 1, 1);
    insert into bank_hints (id, account_id, identity, params, received_at, checks_count) values ('hnt_00', 'acc_1', 'i', '{}', 1, 1);
  `);
  const longAgo = Date.UTC(2020, 0, 1);
  await pruneDeliveryAttempts(tx, longAgo, '');
  await pruneCallbacks(tx, longAgo, '');
  await pruneAnswers(tx, longAgo);
  expect(explained).toHaveLength(5);
  expectPlans(explained, /^SCAN |TEMP B-TREE/);
});

test('pages of exceptions and of the delivery log are read in the order of an index', async () => {
  const { db, explained } = await explainedDatabase();
  const cases: Partial<CaseFilter>[] = [
    ...[{}, { viewer: 'mer_1' as const }, { flag: 'unmatched' as const }],
    ...[{ state: 'settled' as const }, { state: 'settled' as const, viewer: 'mer_1' as const }],
  ];
  for (const each of cases) {
    const filter: CaseFilter = { viewer: null, state: 'open', ...each };
    for (const after of [null, { id: 'rcp_1', settledAt: 1 } as const])
      await caseRows(db, filter, { after, limit: 26 });
    await sumCases(db, filter, 100);
  }
  await heldRows(db, { merchantId: null, after: null, limit: 51 });
  const range = { from: 'dlv_1', before: 'dlv_9' } as const;
  const logs = [
    ...[{}, range, { state: 'undelivered', ...range } as const, { state: 'skipped' } as const],
    ...[{ kind: 'webhook.test', ...range } as const, { state: 'missed', ...range } as const],
  ];
  for (const filter of logs) await log.deliveryLog(db, 'mer_1', filter, 50);
  for (const failed of [true, false]) {
    await requestsBefore(db, 'mer_1', { failed, before: 'req_9', limit: 50 });
  }
  await pruneRequests(db as unknown as Tx, 1, '');
  await log.deliveryBack(db, 'mer_1', { before: 'dlv_9' }, 5000);
  expectPlans(explained, /TEMP B-TREE/);

  await heldTotals(db, 100);
  await transactionsOfReference(db, { entity: '11990', reference: '123456789' }, null, 10);
  const near = { from: 'tx_1', to: 'tx_2', owner: null, amount: cents(1), examinedMax: 9, limit: 3 } as const;
  await transactionsNearby(db, near);
  await log.findOwnDelivery(db, 'mer_1', 'dlv_1');
  await log.deliveriesOf(db, 'tx_1', 200);
  await log.deliveryDetails(db, ['dlv_1', 'dlv_2']);
  await log.attemptsWithAnswers(db, 'dlv_1');
  await log.missedEvents(db, 'mer_1');
  await log.losingMany(db, ['mer_1', 'mer_2']);
  expectPlans(explained, FULL_SCAN);
});

test("a merchant's open exceptions of one kind are read from its open ones", async () => {
  const { db, explained } = await explainedDatabase();
  for (const flag of RECEIPT_FLAGS) await sumCases(db, { viewer: 'mer_1', state: 'open', flag }, 100);
  for (const { plan } of explained)
    expect(plan.join()).toContain('SEARCH receipts USING INDEX receipts_open_merchant (merchant_id=?)');
});

test('refunds of a merchant, of a state and of a report are found by an index, in the order of the list', async () => {
  const { db, explained } = await explainedDatabase();
  for (const state of [undefined, 'done'] as const) {
    for (const viewer of [null, 'mer_1'] as const) {
      for (const queue of [true, false]) {
        await refundRows(db, { viewer, state, queue }, { after: 'ref_1', limit: 26 });
        await sumRefunds(db, { viewer, state, queue }, 100);
      }
    }
  }
  await refundPage(db, { merchantId: 'mer_1', limit: 100 });
  await reported.receiptOfPayment(db, 'r', ['acc_1']);
  await reported.openReported(db, 10);
  await reported.countReported(db, 10);
  await reported.openReportedCents(db, { id: 'rcp_1', merchant_id: 'mer_1', amount_cents: cents(1) });
  expectPlans(explained, /^SCAN (?!CONSTANT|found|open|refunds|reported_refunds USING)/);
  const unlinked = explained.flatMap(({ plan }) => plan).filter((step) => step.includes(' report USING'));
  expect(unlinked).toEqual([expect.stringContaining('INDEX reported_refunds_unlinked (request_id=?)')]);
  const own = explained.filter(({ sql }) => /"refunds"\."merchant_id" = /.test(sql));
  expect(own.length).toBeGreaterThan(8);
  expectPlans(own, /SCAN refunds|TEMP B-TREE FOR ORDER BY/);
});

test('a statement and its totals read only the receipts and refunds of their days', async () => {
  const { db, explained } = await explainedDatabase();
  const days = [{ day: '2026-01-10', from_at: 1, until_at: 2 }];
  for (const unheld of [false, true]) {
    const filter = { merchantId: 'mer_1', unheld, from: 1, until: 2 } as const;
    await receiptsBetween(db, filter, { at: 0, id: '' }, 500);
    await refundsBetween(db, filter, { at: 0, id: '' }, 500);
    await receiptTotals(db, days, filter);
    await refundTotals(db, days, filter);
  }
  expect(explained.length).toBe(8);
  for (const { sql, plan } of explained) {
    expect(plan.join('\n'), sql).toMatch(
      /receipts_merchant_paid \(merchant_id=\? AND paid_at>\? AND paid_at<\?\)|refunds_done \(settled_at>\? AND settled_at<\?\)/,
    );
  }
  expectPlans(explained, /TEMP B-TREE FOR ORDER BY/);
});
