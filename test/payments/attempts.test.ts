import { expect, test } from 'vitest';
import { sandboxCredentials } from '../../src/banks/accounts.ts';
import { BankUnavailable } from '../../src/banks/port.ts';
import { setRoute } from '../../src/banks/routes.ts';
import { setBankAccount } from '../../src/banks/set-account.ts';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { startMbway } from '../../src/payments/mbway.ts';
import { startMultibanco } from '../../src/payments/multibanco.ts';
import { releaseTransaction } from '../../src/payments/release.ts';
import { readStatus } from '../../src/payments/status.ts';
import { insertRows, updateRows } from '../support/rows.ts';
import { firstOf, SETTINGS, setup } from './setup.ts';

const PHONE = '912345678';

test('after a thousand unreachable calls the open push is still found and no second one is sent', async () => {
  const { deps, merchant, bank, init, attempts, pass, status } = await setup();
  const id = await init();
  bank.next = 'unreachable';
  await expect(startMbway(deps, merchant, { transactionId: id, phoneNumber: PHONE })).rejects.toThrow();
  const dead = firstOf(await attempts());
  const copy = (i: number) => ({ ...dead, id: deps.ids('att'), bank_order_id: `COPY${i}` });
  await insertRows(deps.db, 'attempts', ...Array.from({ length: 1000 }, (_, i) => copy(i)));
  await startMultibanco(deps, merchant, { transactionId: id });
  await startMbway(deps, merchant, { transactionId: id, phoneNumber: PHONE });
  await startMbway(deps, merchant, { transactionId: id, phoneNumber: PHONE });
  expect(bank.pushes).toHaveLength(1);
  expect((await readStatus(deps, merchant, { transactionId: id })).paymentMethod).toBe('MBWAY');
  for (const push of bank.pushes) bank.answer(push, 'rejected');
  await pass(SETTINGS.inquiryMs);
  expect(await status(id)).toBe('pending');
});

test('an unavailable bank is asked about a push ever more rarely, past its window, until it answers', async () => {
  const { clock, bank, pushed, status, receipts } = await setup();
  const id = await pushed();
  bank.listUnavailable = true;
  const { inquirePush } = bank;
  const asked = [clock.now()];
  bank.inquirePush = async () => {
    asked.push(clock.now());
    if (asked.length === 5) return { kind: 'waiting' };
    throw new BankUnavailable('inquire: a fake');
  };
  await clock.advance(3_600_000);
  const waits = asked.slice(1).map((at, i) => (at - (asked[i] ?? 0)) / 1000);
  // An answer starts the waits again.
  expect(waits.slice(0, 9)).toEqual([10, 10, 20, 40, 10, 10, 20, 40, 60]);
  expect(new Set(waits.slice(9))).toEqual(new Set([60]));
  expect(await status(id)).toBe('pending');
  bank.inquirePush = inquirePush;
  bank.answer(firstOf(bank.pushes), 'paid');
  await clock.advance(60_000);
  expect(await status(id)).toBe('paid');
  expect(await receipts()).toMatchObject([{ late: 0, duplicate: 0 }]);
});

test('a slow answer to an inquiry sent before the end of window and grace does not lapse the push', async () => {
  const { bank, pushed, pass, status, receipts } = await setup();
  const id = await pushed();
  // The inquiry is sent two seconds before the end; its answer arrives one second after it.
  bank.hangingInquiries = 1;
  bank.listUnavailable = true;
  await pass(SETTINGS.mbwayWindowMs + SETTINGS.mbwayGraceMs - 2000);
  const push = firstOf(bank.pushes);
  bank.answer(push, 'paid');
  await pass(3000);
  expect(bank.inquiriesCount).toBe(1);
  bank.release();
  await pass(0);
  expect(await status(id)).toBe('paid');
  expect((await receipts()).map(({ late }) => late)).toEqual([0]);
});

/** Puts the clock ahead until it is corrected. Returns whether it is still ahead. */
function setAhead(clock: Clock, ms: number): () => boolean {
  const { now } = clock;
  let aheadMs = ms;
  clock.now = () => now() + aheadMs;
  clock.correct = async () => {
    aheadMs = 0;
  };
  return () => aheadMs > 0;
}

test.each(['pushed', 'referred', 'init'] as const)(
  'an order that was %s does not end early when the clock is ahead of the server that corrects it',
  async (made) => {
    const { clock, status, attempts, ...orders } = await setup();
    const id = await orders[made]();
    const isAhead = setAhead(clock, 30 * DAY_MS);
    await clock.advance(MINUTE_MS);
    expect(isAhead()).toBe(false);
    expect(await status(id)).toBe('pending');
    expect((await attempts()).every(({ state }) => state === 'open')).toBe(true);
  },
);

test('an unknown push at an acquirer without a complete list does not lapse early when the clock is ahead', async () => {
  const { clock, deps, merchant, attempts, pushed, status } = await setup();
  const credentials = sandboxCredentials(deps.random, 'eupago');
  await setBankAccount(deps, { merchantId: null, acquirer: 'eupago', credentials });
  await setRoute(deps, merchant.id, 'MBWAY', { acquirer: 'eupago', fallback: null });
  const id = await pushed();
  await updateRows(deps.db, 'attempts', { state: 'unknown', check_at: null });
  const isAhead = setAhead(clock, HOUR_MS);
  await clock.advance(MINUTE_MS);
  expect(firstOf(await attempts()).state).toBe('unknown');
  expect(await status(id)).toBe('pending');
  expect(isAhead()).toBe(false);
});

test('a push does not lapse when the clock was ahead during the inquiry and was set back before its answer', async () => {
  const { clock, deps, merchant, bank, pushed, pass, status } = await setup();
  const id = await pushed();
  const aheadMs = SETTINGS.mbwayWindowMs + SETTINGS.mbwayGraceMs;
  bank.hangingInquiries = 1;
  bank.listUnavailable = true;
  await pass(aheadMs);
  expect(bank.inquiriesCount).toBe(1);
  await clock.jump(-aheadMs + 60_000);
  bank.release();
  await pass(0);
  expect(await status(id)).toBe('pending');
  await startMbway(deps, merchant, { transactionId: id, phoneNumber: PHONE });
  expect(bank.pushes).toHaveLength(1);
});

test('a rejection is noticed within two minutes after the clock was set back by an hour', async () => {
  const { clock, bank, pushed, pass, status } = await setup();
  const id = await pushed();
  await pass(-3_600_000);
  bank.answer(firstOf(bank.pushes), 'rejected');
  for (let i = 0; i < 12; i++) await clock.advance(10_000);
  expect(await status(id)).toBe('failed');
  expect(bank.inquiriesCount).toBe(1);
});

test('a push that was sent before the clock was set back by a day ends a window and grace later', async () => {
  const { clock, pushed, pass, attempts } = await setup();
  await pushed();
  await pass(-DAY_MS);
  await clock.advance(SETTINGS.mbwayWindowMs + SETTINGS.mbwayGraceMs - 1000);
  expect(firstOf(await attempts()).state).toBe('open');
  await clock.advance(2 * MINUTE_MS);
  expect(firstOf(await attempts()).state).toBe('lapsed');
});

test('a push lapses when another payment’s unreadable row has left the list', async () => {
  const { clock, deps, bank, pushed, attempts, pass } = await setup();
  await pushed();
  await updateRows(deps.db, 'attempts', { state: 'unknown', request_id: null });
  const rowAt = clock.now() + HOUR_MS;
  bank.listPayments = async (_account, { from = 0, to = 0 }) => ({
    records: [],
    complete: rowAt < from || rowAt > to,
  });
  for (let hours = 0; hours < 37 * 24; hours += 6) await pass(6 * HOUR_MS);
  expect(firstOf(await attempts()).state).toBe('lapsed');
});

test('a push stays unknown while the read that covers it has an unreadable row', async () => {
  const { clock, deps, bank, pushed, attempts, pass, status } = await setup();
  const id = await pushed();
  await updateRows(deps.db, 'attempts', { state: 'unknown', request_id: null });
  // By the bank's clock, which is half an hour behind.
  const paidAt = clock.now() - HOUR_MS / 2;
  bank.listPayments = async (_account, { from = 0 }) => ({ records: [], complete: from > paidAt });
  for (let hours = 0; hours < 30; hours++) await pass(HOUR_MS);
  expect(firstOf(await attempts()).state).toBe('unknown');
  expect(await status(id)).toBe('pending');
});

test.each(['inquiries', 'list reads'])(
  'a push that the bank does not know lapses by two %s after window and grace, one interval apart',
  async (kind) => {
    const { clock, deps, bank, settlement, pushed, attempts, attemptOf, pass, status } = await setup();
    const id = await pushed();
    bank.listUnavailable = true;
    const { bank_order_id, expires_at } = firstOf(await attempts());
    await updateRows(deps.db, 'attempts', { state: 'unknown', request_id: null }, { bank_order_id });
    const push = await attemptOf(bank_order_id);
    const ask = (at: number) =>
      kind === 'inquiries'
        ? settlement.applyPushState(push, { kind: 'absent' }, at)
        : settlement.countListRead(push.account_id, 0, at);
    const end = (expires_at ?? 0) + SETTINGS.mbwayGraceMs;
    for (const [at, clear_reads] of [
      [end - 1, 0],
      [end, 1],
      [end + SETTINGS.reconcileMs - 1, 1],
    ] as const) {
      await pass(at - clock.now());
      await ask(at);
      expect(firstOf(await attempts())).toMatchObject({ state: 'unknown', clear_reads });
    }
    await pass(1);
    await ask(clock.now());
    expect(firstOf(await attempts()).state).toBe('lapsed');
    expect(await status(id)).toBe('cancelled');
  },
);

test('a reference does not expire by a read that a clock dated ahead', async () => {
  const { settlement, referred, attempts, attemptOf } = await setup();
  await referred();
  const reference = firstOf(await attempts());
  const found = await attemptOf(reference.bank_order_id);
  await settlement.deferCheck(found);
  await settlement.expireReference(found, (reference.expires_at ?? 0) + SETTINGS.multibancoGraceMs);
  expect(firstOf(await attempts())).toMatchObject({ state: 'open', silent_count: 0 });
});

test("a held payment of an ended attempt leaves the merchant's status unchanged", async () => {
  const { deps, merchant, bank, referred, pass } = await setup();
  const id = await referred();
  await startMbway(deps, merchant, { transactionId: id, phoneNumber: PHONE });
  await pass(SETTINGS.mbwayWindowMs + SETTINGS.mbwayGraceMs);
  const before = await readStatus(deps, merchant, { transactionId: id });
  expect(before).toMatchObject({ status: 'pending', paymentMethod: 'REFERENCE' });
  await setMerchant(deps, merchant.id, { hold: true });
  for (const push of bank.pushes) bank.answer(push, 'paid');
  await pass(SETTINGS.reconcileMs);
  expect(await readStatus(deps, merchant, { transactionId: id })).toEqual(before);
  await pass(10 * 86_400_000);
  expect(await readStatus(deps, merchant, { transactionId: id })).toEqual(before);
  expect(await releaseTransaction(deps, id)).toMatchObject({ status: 'paid', paymentMethod: 'MBWAY' });
});

test('a backlog of open pushes does not block the last read of a reference', async () => {
  const { deps, settlement, referred, pass, attempts } = await setup();
  await referred();
  await pass(0);
  const reference = firstOf(await attempts());
  const now = deps.clock.now();
  const due = { ...reference, check_at: now - 1 };
  await updateRows(deps.db, 'attempts', { check_at: due.check_at });
  for (let i = 0; i < 300; i++) {
    const push = { method: 'MBWAY', request_id: `r${i}`, expires_at: now + i } as const;
    await insertRows(deps.db, 'attempts', {
      ...due,
      ...push,
      id: deps.ids('att'),
      bank_order_id: `COPY${i}`,
    });
  }
  const checks = [await settlement.dueAttempts(now, 128), await settlement.dueAttempts(now, 128)];
  expect(checks.map((due) => due.length)).toEqual([128, 128]);
  expect(checks.map(([first]) => first?.action).sort()).toEqual(['inquire', 'last-read']);
});
