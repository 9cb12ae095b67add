import { expect, test } from 'vitest';
import type { Tx } from '../../src/db/database.ts';
import * as due from '../../src/webhooks/delivery/due-store.ts';
import * as outbox from '../../src/webhooks/delivery/store.ts';
import * as numbers from '../../src/webhooks/numbering-store.ts';
import * as recovery from '../../src/webhooks/recovery/store.ts';
import * as store from '../../src/webhooks/store.ts';
import { explainedDatabase } from '../support/explained.ts';

/** A scan of a table, complete or by an index that the condition does not narrow. */
const FULL_SCAN = /^SCAN (?!walk|due|\(subquery|CONSTANT|\d+ CONSTANT|\d+-ROW VALUES)/;

test('no query of webhooks scans a table', async () => {
  const { db, explained } = await explainedDatabase();
  const tx = db as unknown as Tx;

  await due.dueHead(db, 1, 10);
  await due.dueOfMerchant(db, 'mer_1', 1, 10);
  await due.walkMerchants(db, '', 1, 10);
  await due.nextDueAt(db, 1);
  await due.dueHead(db, 1, 10, 'recovery');
  await due.dueOfMerchant(db, 'mer_1', 1, 10, 'recovery');
  await due.walkMerchants(db, '', 1, 10, 'recovery');
  await due.nextDueAt(db, 1, 'recovery');
  await due.oldestDueAt(db, 1);
  await due.queueState(db, 1);
  await store.hasEarlierDue(db, 'tx_1', 2);
  await store.findDelivery(db, 'dlv_1');
  await store.findWebhookUrl(db, 'mer_1');
  await store.eventsOfTransaction(db, 'tx_1');
  await store.deliveriesOfTransaction(db, 'tx_1', 10);
  await store.attemptsOfDeliveries(db, ['dlv_1', 'dlv_2']);
  await outbox.lockSendable(tx, ['dlv_1', 'dlv_2'], 1);
  await outbox.claimDeliveries(tx, ['dlv_1', 'dlv_2'], { token: 't', until: 2 });
  await outbox.markInterrupted(tx, 'dlv_1', 1, 'interrupted');
  await outbox.countInterrupted(db, ['dlv_1', 'dlv_2']);
  await outbox.finishDeliveries(tx, ['dlv_1', 'dlv_2'], { state: 'delivered', now: 1, token: 't' });
  await outbox.scheduleRetries(tx, ['dlv_1', 'dlv_2'], 't', 1);
  await outbox.unblockNext(tx, ['tx_1', 'tx_2']);
  await outbox.releaseClaims(tx, 1);
  await outbox.releaseClaims(tx, 1, ['instance']);

  await store.eventsAfter(db, 'mer_1', 5, 10);
  await numbers.unnumberedEvents(db);
  await numbers.writeNumbers(tx, [
    { id: 'evt_1', sequence: 1 },
    { id: 'evt_2', sequence: 2 },
  ]);
  const place = { finishedAt: 1, id: 'dlv_1' };
  await recovery.lastMissed(db, 'mer_1');
  await recovery.missedPage(db, 'mer_1', { after: place, last: place, limit: 10 });
  await recovery.deliveriesOfEvents(db, ['evt_1', 'evt_2']);
  await recovery.transactionSequences(db, ['tx_1', 'tx_2']);
  await expect(recovery.completeRecovery(tx, 'rcv_1', 1)).rejects.toThrow('no result');
  await recovery.recoveriesOf(db, 'mer_1', 10);
  await recovery.countRecovered(db, 'rcv_1');
  await recovery.findWebhook(db, 'mer_1');

  expect(explained.length).toBeGreaterThanOrEqual(37);
  for (const { sql, plan } of explained) {
    expect(
      plan.filter((detail) => FULL_SCAN.test(detail)),
      sql,
    ).toEqual([]);
  }
});

test('due deliveries are found by their own partial indexes, in order, without a sort', async () => {
  const { db, explained } = await explainedDatabase();
  await due.dueHead(db, 1, 10);
  await due.dueOfMerchant(db, 'mer_1', 1, 10);
  await due.nextDueAt(db, 1);
  await due.walkMerchants(db, '', 1, 10);
  const freshPlans = explained.splice(0).map(({ plan }) => plan);
  expect(freshPlans.slice(0, 3)).toEqual([
    ['SEARCH deliveries USING INDEX deliveries_oldest (next_attempt_at<?)'],
    ['SEARCH deliveries USING INDEX deliveries_due (merchant_id=? AND next_attempt_at<?)'],
    ['SEARCH deliveries USING COVERING INDEX deliveries_oldest (next_attempt_at>?)'],
  ]);
  const walk = freshPlans[3] ?? [];
  expect(walk.filter((detail) => detail.includes('TEMP B-TREE'))).toEqual([]);
  expect(walk.filter((detail) => detail.includes('COVERING INDEX deliveries_due'))).toHaveLength(3);

  const place = { finishedAt: 1, id: 'dlv_1' };
  await due.dueHead(db, 1, 10, 'recovery');
  await due.dueOfMerchant(db, 'mer_1', 1, 10, 'recovery');
  await due.nextDueAt(db, 1, 'recovery');
  await numbers.isAnyUnnumbered(db);
  await store.eventsAfter(db, 'mer_1', 5, 10);
  await recovery.missedPage(db, 'mer_1', { after: place, last: place, limit: 10 });
  await recovery.lastMissed(db, 'mer_1');
  expect(explained.map(({ plan }) => plan)).toEqual([
    ['SEARCH deliveries USING INDEX deliveries_recovery_oldest (next_attempt_at<?)'],
    ['SEARCH deliveries USING INDEX deliveries_recovery_due (merchant_id=? AND next_attempt_at<?)'],
    ['SEARCH deliveries USING COVERING INDEX deliveries_recovery_oldest (next_attempt_at>?)'],
    ['SEARCH events USING INDEX events_unnumbered (position>?)'],
    ['SEARCH events USING INDEX events_sequence (merchant_id=? AND sequence>?)'],
    [expect.stringMatching(/^SEARCH deliveries USING INDEX deliveries_missed \(merchant_id=\? AND /)],
    ['SEARCH deliveries USING INDEX deliveries_missed (merchant_id=?)'],
  ]);
});
