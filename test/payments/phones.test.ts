import { expect, test } from 'vitest';
import { showTransaction } from '../../src/payments/show.ts';
import { transactionEvents } from '../../src/webhooks/history.ts';
import { quickClock } from '../support/fake-clock.ts';
import { type Service, startWithMerchant, type TestMerchant } from '../support/harness.ts';

/** What is behind a transaction: attempt states, receipt flags, event kinds, in order. */
async function behind(service: Service, id: string) {
  const shown = await showTransaction(service.app.deps, id);
  const { events } = await transactionEvents(service.app.deps.db.read, id as `tx_${string}`);
  return {
    status: shown.transaction.status,
    attempts: shown.attempts.map((attempt) => attempt.state),
    receipts: shown.receipts.map((receipt) => receipt.flags),
    events: events.map((event) => event.event),
  };
}

async function pushTo(merchant: TestMerchant, phoneNumber: string) {
  const id = await merchant.init();
  const answer = await merchant.post('/payments/mbway', { transactionId: id, phoneNumber });
  return { id, answer };
}

/** The bank accepts its push and never answers. */
const UNANSWERED = '911000008';

test('each self-acting phone ends in the state that the contract names, with one event for each change', async () => {
  const { service, merchant } = await startWithMerchant();
  const end = async (phone: string, wanted: string) => {
    const { id, answer } = await pushTo(merchant, phone);
    const code = phone === UNANSWERED ? 'BANK_OUTCOME_UNKNOWN' : undefined;
    expect([phone, answer.body.code]).toEqual([phone, code]);
    await merchant.reaches(id, wanted);
    return behind(service, id);
  };
  const paid = { status: 'paid', attempts: ['paid'], receipts: [[]], events: ['payment.success'] };
  const ended = (status: string, state: string) => ({
    status,
    attempts: [state],
    receipts: [],
    events: [`payment.${status}`],
  });
  const ends = {
    '911000001': paid,
    '911000002': ended('failed', 'rejected'),
    '911000003': ended('cancelled', 'lapsed'),
    '911000004': ended('failed', 'declined'),
    '911000006': paid,
    '911000007': paid,
    [UNANSWERED]: paid,
    '911000009': paid,
  };
  const reached = Object.entries(ends).map(async ([phone, { status }]) => [phone, await end(phone, status)]);
  expect(Object.fromEntries(await Promise.all(reached))).toEqual(ends);
});

test('a payment after the push lapsed pays the cancelled transaction, flagged late, with two events', async () => {
  const { service, merchant } = await startWithMerchant({ clock: quickClock() });
  const { id } = await pushTo(merchant, '911000010');
  await merchant.reaches(id, 'paid');
  expect(await behind(service, id)).toEqual({
    status: 'paid',
    attempts: ['paid'],
    receipts: [['late']],
    events: ['payment.cancelled', 'payment.success'],
  });
});
