import { expect, test } from 'vitest';
import { showDossier } from '../../src/backoffice/exceptions/show.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { type Cents, cents } from '../../src/kernel/money.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { assignReceipt } from '../../src/payments/exceptions/assign-receipt.ts';
import { creditTransaction } from '../../src/payments/exceptions/credit-transaction.ts';
import { noteReceipt } from '../../src/payments/exceptions/note-receipt.ts';
import { keepReceipt, markReturned } from '../../src/payments/exceptions/settle-receipt.ts';
import { notesOf } from '../../src/payments/exceptions/store.ts';
import { startMbway } from '../../src/payments/mbway.ts';
import { releaseTransaction } from '../../src/payments/release.ts';
import { readStatus } from '../../src/payments/status.ts';
import { bankRecord } from '../banks/support.ts';
import { insertRows, selectRows, updateRows } from '../support/rows.ts';
import { firstOf, OPERATOR, SETTINGS, setup } from './setup.ts';

const DUE = cents(1000);
/** A service with money that fits nothing. */
async function withStray(amount: Cents = DUE) {
  const made = await setup();
  const stray = made.bank.foreign(amount);
  await made.pass(SETTINGS.reconcileMs);
  const receipt = firstOf(await made.receipts());
  const events = async () => (await selectRows(made.deps.db, 'events')).map(({ kind }) => kind);
  return { ...made, stray, receiptId: receipt.id, events };
}

test('assigning an unmatched receipt of the full amount pays its transaction once, with one event', async () => {
  const { deps, merchant, init, receipts, receiptId, events, pass } = await withStray();
  const id = await init();
  const other = await init();
  const order = { receiptId, transactionId: id, note: 'by the name on the transfer' };
  const paid = await assignReceipt(deps, order);
  expect(paid).toMatchObject({ status: 'paid', paymentMethod: 'REFERENCE', held: false });
  expect(await assignReceipt(deps, order)).toEqual(paid);
  await expect(assignReceipt(deps, { ...order, transactionId: other })).rejects.toThrow(/belongs to/);
  await pass(SETTINGS.reconcileMs);
  expect(await readStatus(deps, merchant, { transactionId: id })).toMatchObject({ status: 'paid' });
  expect(await receipts()).toMatchObject([
    { transaction_id: id, merchant_id: merchant.id, unmatched: 0, settlement: 'assigned', late: 0, over: 0 },
  ]);
  expect(await events()).toEqual(['payment.success']);
  expect(await selectRows(deps.db, 'receipt_notes')).toMatchObject([
    { kind: 'assigned', text: 'by the name on the transfer' },
  ]);
});

test('an assigned receipt keeps the notes that were written before', async () => {
  const { deps, init, receipts, receiptId } = await withStray();
  await noteReceipt(deps, OPERATOR, { receiptId, text: 'asked the customer', internal: false });
  await assignReceipt(deps, { receiptId, transactionId: await init(), note: '' });
  const notes = await notesOf(deps.db.read, firstOf(await receipts()));
  expect(notes.map(({ kind, text }) => [kind, text])).toContainEqual(['note', 'asked the customer']);
});

test('an assigned receipt that is too small needs a credit, and one for a paid transaction is a duplicate', async () => {
  const { deps, init, receipts, receiptId, events, bank, pass } = await withStray(cents(400));
  const id = await init();
  expect(await assignReceipt(deps, { receiptId, transactionId: id, note: '' })).toMatchObject({
    status: 'pending',
  });
  await expect(creditTransaction(deps, id)).rejects.toThrow(/4 of 10 EUR/);
  bank.foreign(cents(600));
  bank.foreign(cents(300));
  await pass(SETTINGS.reconcileMs);
  // Rows that the bank reports together are booked in any order.
  const byAmount = async () => (await receipts()).toSorted((a, b) => a.amount_cents - b.amount_cents);
  const [third, first, second] = await byAmount();
  if (second === undefined || third === undefined) throw new Error('no receipts');
  await assignReceipt(deps, { receiptId: second.id, transactionId: id, note: '' });
  expect(await creditTransaction(deps, id, 'two halves')).toMatchObject({
    status: 'paid',
    paymentMethod: 'REFERENCE',
    paidAt: new Date(second.paid_at).toISOString(),
  });
  expect(second.paid_at).toBeGreaterThan(first?.paid_at ?? 0);
  await expect(creditTransaction(deps, id)).rejects.toThrow(/paid already/);
  await assignReceipt(deps, { receiptId: third.id, transactionId: id, note: '' });
  expect(await byAmount()).toMatchObject([
    { amount_cents: 300, duplicate: 1, settlement: null },
    { id: first?.id, amount_cents: 400, under: 1, settlement: 'credited' },
    { amount_cents: 600, under: 1, settlement: 'credited' },
  ]);
  expect(await events()).toEqual(['payment.success']);
  const notes = await notesOf(deps.db.read, firstOf((await byAmount()).slice(-1)));
  expect(notes).toMatchObject([
    { kind: 'assigned', text: '' },
    { kind: 'credited', text: 'two halves' },
  ]);
});

/** A customer pays a push whose create has not answered yet, so the owner of the money is unknown. */
async function payBeforeAnswer(made: Awaited<ReturnType<typeof setup>>, transactionId: Id<'tx'>) {
  const { deps, merchant, bank, clock, pass, receipts } = made;
  bank.next = 'hanging';
  const starting = startMbway(deps, merchant, { transactionId, phoneNumber: '912345678' });
  await clock.advance(0);
  const push = firstOf(bank.pushes);
  bank.answer(push, 'paid', true);
  await pass(SETTINGS.reconcileMs);
  const stray = firstOf(await receipts());
  return { push, starting, stray };
}

test('assigning resolves a paid push whose row named another order before its request id was known', async () => {
  const made = await setup();
  const { deps, bank, init, attempts, receipts, pass, status } = made;
  const id = await init();
  const { push, starting } = await payBeforeAnswer(made, id);
  bank.release();
  await starting;
  await pass(SETTINGS.reconcileMs);
  const stray = firstOf(await receipts());
  expect(stray).toMatchObject({ unmatched: 1, request_id: push.requestId });
  expect([await status(id), (await attempts())[0]?.state]).toEqual(['pending', 'open']);

  const wrong = await init();
  const assigning = assignReceipt(deps, { receiptId: stray.id, transactionId: wrong, note: '' });
  await expect(assigning).rejects.toThrow(id);
  expect(await assignReceipt(deps, { receiptId: stray.id, transactionId: id, note: '' })).toMatchObject({
    status: 'paid',
    paymentMethod: 'MBWAY',
  });
  await pass(SETTINGS.reconcileMs);
  expect(await attempts()).toMatchObject([{ state: 'paid', check_at: null }]);
  expect(await receipts()).toHaveLength(1);
});

test('a receipt assigned before its push was known counts once and ends the push', async () => {
  for (const elsewhere of [false, true]) {
    const made = await setup();
    const { deps, bank, init, attempts, receipts, pass, status } = made;
    const id = await init();
    const target = elsewhere ? await init() : id;
    const { starting, stray } = await payBeforeAnswer(made, id);
    await assignReceipt(deps, { receiptId: stray.id, transactionId: target, note: '' });
    bank.release();
    await starting.catch(() => null);
    await pass(SETTINGS.inquiryMs);
    const [attempt] = await attempts();
    expect([attempt?.state, await status(target)]).toEqual(['paid', 'paid']);
    expect(await receipts()).toMatchObject([
      { transaction_id: target, attempt_id: elsewhere ? null : attempt?.id, duplicate: 0 },
    ]);
    await pass(SETTINGS.pendingMs);
    expect(await status(id)).toBe(elsewhere ? 'cancelled' : 'paid');
  }
});

test('a push of unknown outcome whose payment was assigned by hand ends as accepted by the bank', async () => {
  const made = await setup();
  const { deps, settlement, init, attempts, attemptOf, pass, merchant } = made;
  const id = await init();
  const { stray } = await payBeforeAnswer(made, id);
  const target = await init();
  await assignReceipt(deps, { receiptId: stray.id, transactionId: target, note: '' });
  // Below the interval of list reads: a second read without the push would let it lapse.
  await pass(1000);
  const attempt = firstOf(await attempts());
  expect(attempt).toMatchObject({ state: 'unknown', accepted: 0 });
  const paid = { kind: 'paid', paidAt: stray.paid_at, identity: stray.identity } as const;
  await settlement.applyPushState(await attemptOf(attempt.bank_order_id), paid, deps.clock.now());
  expect(firstOf(await attempts())).toMatchObject({ state: 'paid', accepted: 1 });
  expect((await readStatus(deps, merchant, { transactionId: id })).paymentMethod).toBe('MBWAY');
  const totals = await selectRows(deps.db, 'daily_method_totals');
  expect(totals.reduce((sum, { attempts_count }) => sum + attempts_count, 0)).toBe(1);
});

test('an assigned receipt of a merchant under review is held until it is released', async () => {
  const { deps, merchant, init, receiptId, status, events, stray } = await withStray();
  const id = await init();
  await setMerchant(deps, merchant.id, { hold: true });
  await assignReceipt(deps, { receiptId, transactionId: id, note: '' });
  expect([await status(id), await events()]).toEqual(['pending', []]);
  expect(await releaseTransaction(deps, id)).toMatchObject({
    status: 'paid',
    paymentMethod: 'REFERENCE',
    paidAt: new Date(stray.paidAt).toISOString(),
  });
  expect(await events()).toEqual(['payment.success']);
});

test('assigning a receipt with the digits of a reference settles that reference', async () => {
  const { deps, merchant, bank, referred, attempts, receipts, pass } = await setup();
  const id = await referred();
  const [reference] = bank.references;
  const made = firstOf(await attempts());
  // An earlier reference of the transaction had the same digits, a later one has others.
  const earlier = { ...made, id: 'att_0', bank_order_id: 'EARLIER', state: 'expired' } as const;
  const later = { ...earlier, id: 'att_z', bank_order_id: 'LATER', reference: '999999999' } as const;
  await deps.db.unit((tx) => tx.insertInto('attempts').values([earlier, later]).execute());
  bank.foreign(DUE, reference);
  await pass(SETTINGS.reconcileMs);
  const receipt = firstOf(await receipts());
  await assignReceipt(deps, { receiptId: receipt.id, transactionId: id, note: '' });
  const attempt = (await attempts()).find(({ id }) => id === made.id);
  expect(attempt?.state).toBe('paid');
  expect(await receipts()).toMatchObject([{ attempt_id: made.id }]);
  expect((await readStatus(deps, merchant, { transactionId: id })).mb?.reference).toBe(reference?.reference);
});

test('the id of a payment at EuPago names no push, and is no request id', async () => {
  const { deps, settlement, init, pushed, referred, attempts, receipts } = await setup();
  const account_id = 'acc_eupago' as const;
  await insertRows(deps.db, 'bank_accounts', { id: account_id, acquirer: 'eupago' });
  await pushed();
  await updateRows(deps.db, 'attempts', { account_id, request_id: '7001' });
  const stray = { amount: DUE, requestId: 'OTHER', bankOrderId: 'SHOP-17' };
  await settlement.recordPayments(account_id, [bankRecord({ ...stray, identity: 'a', paymentId: '7001' })]);
  const id = await init();
  const assign = async (transactionId: Id<'tx'>) => {
    const receiptId = firstOf((await receipts()).filter((receipt) => receipt.transaction_id === null)).id;
    const { candidates } = await showDossier(deps, receiptId);
    expect(candidates.map(({ likeness }) => likeness)).not.toContain('request');
    return assignReceipt(deps, { receiptId, transactionId, note: '' });
  };
  expect(await assign(id)).toMatchObject({ status: 'paid' });

  const other = await referred();
  await updateRows(deps.db, 'attempts', { account_id, request_id: null }, { transaction_id: other });
  const { entity, reference } = firstOf((await attempts()).filter(({ method }) => method === 'REFERENCE'));
  const digits = { method: 'REFERENCE' as const, entity, reference };
  await settlement.recordPayments(account_id, [
    bankRecord({ ...stray, ...digits, identity: 'b', requestId: null, paymentId: '7002' }),
  ]);
  expect(await assign(other)).toMatchObject({ status: 'paid' });
  expect(await attempts()).toMatchObject([
    { method: 'MBWAY', state: 'open', request_id: '7001' },
    { method: 'REFERENCE', state: 'paid', request_id: null },
  ]);
});

test('a surplus can be returned, an exact payment cannot, and no receipt is settled twice', async () => {
  const { deps, init, receiptId, receipts } = await withStray(cents(1250));
  const id = await init();
  await expect(markReturned(deps, OPERATOR, { receiptId, amountCents: 1250, note: ' ' })).rejects.toThrow(
    /write a note/,
  );
  await assignReceipt(deps, { receiptId, transactionId: id, note: '' });
  const returning = (amountCents: number) =>
    markReturned(deps, OPERATOR, { receiptId, amountCents, note: 'by transfer' });
  await expect(returning(1250)).rejects.toThrow(/2.5 EUR/);
  await returning(250);
  expect(await receipts()).toMatchObject([{ over: 1, settlement: 'returned', returned_cents: 250 }]);
  await expect(returning(250)).rejects.toThrow(/settled already/);
  await expect(keepReceipt(deps, OPERATOR, { receiptId, note: '' })).rejects.toThrow(/settled already/);
  const note = { receiptId, text: 'x'.repeat(1000), internal: false };
  // With those of assignment and return, the receipt then has as many as it may have.
  await Promise.all(Array.from({ length: 198 }, () => noteReceipt(deps, OPERATOR, note)));
  await expect(noteReceipt(deps, OPERATOR, note)).rejects.toThrow(/maximum of 200 notes/);
  const long = { ...note, text: 'x'.repeat(1001) };
  await expect(noteReceipt(deps, OPERATOR, long)).rejects.toThrow(/at most 1000 characters/);
});

test('a returned receipt can be neither assigned nor credited', async () => {
  const { deps, init, receiptId, bank, receipts, pass } = await withStray();
  const id = await init();
  await markReturned(deps, OPERATOR, { receiptId, amountCents: DUE, note: 'by transfer' });
  await expect(assignReceipt(deps, { receiptId, transactionId: id, note: '' })).rejects.toThrow(/returned/);
  bank.foreign(cents(999));
  await pass(SETTINGS.reconcileMs);
  const short = (await receipts()).at(-1)?.id ?? receiptId;
  await assignReceipt(deps, { receiptId: short, transactionId: id, note: '' });
  await markReturned(deps, OPERATOR, { receiptId: short, amountCents: 999, note: 'by transfer' });
  await expect(creditTransaction(deps, id)).rejects.toThrow(/0 of 10 EUR/);
});

test('a merchant acts only on receipts of its own sales that are not held', async () => {
  const { deps, merchant, init, receiptId, bank, receipts, pass } = await withStray();
  const own = { merchantId: merchant.id, operator: false };
  const back = { receiptId, amountCents: DUE, note: 'by transfer' };
  await expect(markReturned(deps, own, back)).rejects.toThrow(/no receipt/);
  const id = await init();
  await setMerchant(deps, merchant.id, { hold: true });
  await assignReceipt(deps, { receiptId, transactionId: id, note: '' });
  bank.foreign(DUE);
  await pass(SETTINGS.reconcileMs);
  const second = (await receipts()).at(-1)?.id ?? receiptId;
  await assignReceipt(deps, { receiptId: second, transactionId: id, note: '' });
  const twice = { ...back, receiptId: second };
  await expect(markReturned(deps, own, twice)).rejects.toThrow(/no receipt/);
  await releaseTransaction(deps, id);
  await expect(markReturned(deps, { ...own, merchantId: 'mer_other' }, twice)).rejects.toThrow(/no receipt/);
  await markReturned(deps, own, twice);
  expect((await receipts()).map(({ settlement }) => settlement)).toEqual(['assigned', 'returned']);
});
