import { expect, test } from 'vitest';
import type { BankRecord } from '../../src/banks/port.ts';
import { setBankAccount } from '../../src/banks/set-account.ts';
import type { Cents } from '../../src/kernel/money.ts';
import { assignReceipt } from '../../src/payments/exceptions/assign-receipt.ts';
import { startMbway } from '../../src/payments/mbway.ts';
import { startMultibanco } from '../../src/payments/multibanco.ts';
import { CREDENTIALS } from '../banks/support.ts';
import { insertRows, updateRows } from '../support/rows.ts';
import { firstOf, OWN, OWN_LIST, SETTINGS, setup } from './setup.ts';

/** A reference of the default account, a second account, and rows of the bank that name the reference's order. */
async function twoAccounts(credentials = OWN_LIST) {
  const made = await setup();
  const { deps, merchant, bank, init } = made;
  const { account: other } = await setBankAccount(deps, { merchantId: merchant.id, credentials });
  const id = await init();
  // The attempt was created before the merchant's own account existed.
  await startMultibanco(deps, merchant, { transactionId: id } as never);
  await updateRows(deps.db, 'attempts', { account_id: made.account });
  const reference = firstOf(bank.references);
  const { orderId, amount, entity, reference: digits } = reference;
  const row = (methodKey: string | null): BankRecord & { paidAt: number } => ({
    identity: `row ${methodKey}`,
    method: 'REFERENCE',
    amount,
    paidAt: made.clock.now(),
    raw: {},
    requestId: null,
    bankOrderId: orderId,
    entity,
    reference: digits,
    methodKey,
  });
  return { ...made, id, other, row };
}

test('reconciliation keeps money of another account that names an attempt as unmatched', async () => {
  const { deps, bank, id, other, row, pass, receipts, status, init } = await twoAccounts(OWN);
  bank.rows.push(row(OWN.mbKey));
  await pass(SETTINGS.reconcileMs);
  const unmatched = { account_id: other, transaction_id: null, attempt_id: null, unmatched: 1 };
  expect(await receipts()).toMatchObject([unmatched]);
  expect(await status(id)).toBe('pending');
  bank.rows.push(row(CREDENTIALS.mbKey));
  await pass(SETTINGS.reconcileMs);
  expect(await status(id)).toBe('paid');

  // The operator can assign the first payment to any transaction.
  const [receipt] = await receipts();
  const transactionId = await init();
  await assignReceipt(deps, { receiptId: receipt?.id ?? 'rcp_', transactionId, note: '' });
  expect(await status(transactionId)).toBe('paid');
});

test.each([
  ['names the key of the other account', 'default', OWN_LIST, OWN.mbKey, false],
  ['is in the list of the other account and names no key', 'other', OWN_LIST, null, false],
  ['is in the list of the other account and names an unknown key', 'other', OWN_LIST, 'XXX-000000', false],
  ['is in a list that both accounts share and names no key', 'other', OWN, null, true],
  ['is in the list of the other account and names its own key', 'other', OWN_LIST, CREDENTIALS.mbKey, true],
  ['is in its own list and names no key', 'default', OWN_LIST, null, true],
] as const)('a row that %s (%s account)', async (_what, list, credentials, key, pays) => {
  const { settlement, account, other, id, row, receipts, status, lines } = await twoAccounts(credentials);
  await settlement.recordPayments(list === 'other' ? other : account, [row(key)]);
  expect(await status(id)).toBe(pays ? 'paid' : 'pending');
  expect(await receipts()).toMatchObject([{ unmatched: pays ? 0 : 1, account_id: pays ? account : other }]);
  const errors = lines.filter(({ level }) => level >= 50).map(({ msg }) => msg);
  const error = 'a payment to another bank account names an attempt; it was recorded as unmatched';
  expect(errors).toEqual(pays ? [] : [error]);
});

test('money in the list of another account pays its order once the own account of the order shows it', async () => {
  const { deps, settlement, account, other, id, row, receipts, status, lines } = await twoAccounts();
  const { recordPayments } = settlement;
  const first = { ...row(null), fees: { fee: null, net: null, valueDate: null } };
  await recordPayments(other, [first]);
  expect(await receipts()).toMatchObject([{ unmatched: 1, account_id: other }]);
  expect(await status(id)).toBe('pending');

  await recordPayments(account, [{ ...first, amount: (first.amount - 1) as Cents }]);
  expect(await status(id)).toBe('pending');

  // Money that the bank reports as refunded pays no order.
  const refunded = { receipt_id: firstOf(await receipts()).id, account_id: other, reported_at: 1 };
  const report = { ...refunded, id: 'rep_1', identity: 'elsewhere' } as const;
  await insertRows(deps.db, 'reported_refunds', report);
  await recordPayments(account, [first]);
  expect(await status(id)).toBe('pending');
  await updateRows(deps.db, 'reported_refunds', { settled_at: 1 }, { id: report.id });

  const fee = 31 as Cents;
  await recordPayments(account, [{ ...first, fees: { fee, net: null, valueDate: null } }]);
  await recordPayments(account, [first]);
  expect(await status(id)).toBe('paid');
  const owned = { account_id: account, transaction_id: id, unmatched: 0, duplicate: 0, fee_cents: 31 };
  expect(await receipts()).toMatchObject([owned]);
  const matches = lines.filter(({ msg }) => msg === 'an unmatched payment was matched with its order');
  expect(matches).toHaveLength(1);
});

test('a push pays with a receipt from the list of another account once its own account confirms it', async () => {
  const { deps, settlement, bank, account, other, row, receipts, status, pushed, attemptOf } =
    await twoAccounts();
  const id = await pushed();
  await updateRows(deps.db, 'attempts', { account_id: account });
  const { orderId: bankOrderId, requestId } = firstOf(bank.pushes);
  const record = {
    ...row(null),
    method: 'MBWAY',
    bankOrderId,
    requestId,
    entity: null,
    reference: null,
  } as const;
  await settlement.recordPayments(other, [record]);
  expect(await status(id)).toBe('pending');

  const fees = { fee: 31 as Cents, net: null, valueDate: null };
  const { identity, paidAt } = record;
  const paid = { kind: 'paid', paidAt, identity, record: { ...record, fees } } as const;
  await settlement.applyPushState(await attemptOf(bankOrderId), paid, deps.clock.now());
  expect(await status(id)).toBe('paid');
  expect(await receipts()).toMatchObject([
    { account_id: account, transaction_id: id, unmatched: 0, fee_cents: 31 },
  ]);
});

test('a paid push does not take the receipt that paid another order', async () => {
  const { deps, settlement, bank, account, other, row, receipts, status, pushed, attemptOf } =
    await twoAccounts();
  const push = async (phoneNumber: string) => {
    const transactionId = await pushed(phoneNumber);
    const { orderId: bankOrderId, requestId } = bank.pushes.at(-1) ?? {};
    return { transactionId, bankOrderId: bankOrderId ?? '', requestId: requestId ?? '' };
  };
  const first = await push('911000001');
  const payment = { ...row(null), method: 'MBWAY', entity: null, reference: null } as const;
  await settlement.recordPayments(other, [{ ...payment, ...first }]);
  expect(await status(first.transactionId)).toBe('paid');

  const { transactionId, bankOrderId } = await push('911000002');
  const key = { transaction_id: transactionId } as const;
  await updateRows(deps.db, 'attempts', { account_id: account }, key);
  const paid = { kind: 'paid', ...payment } as const;
  await settlement.applyPushState(await attemptOf(bankOrderId), paid, deps.clock.now());
  expect(await status(transactionId)).toBe('pending');
  expect((await attemptOf(bankOrderId)).state).toBe('open');
  expect(await receipts()).toMatchObject([{ account_id: other, transaction_id: first.transactionId }]);
});

test.each([
  ['names the key of the other account', OWN.mbKey, 'other'],
  ['names an unknown key', 'XXX-000000', 'default'],
  ['names no key', null, 'default'],
] as const)('a row of an unknown order that %s is booked there', async (_what, key, booked) => {
  const { settlement, account, other, row, receipts } = await twoAccounts(OWN);
  const unknown = { ...row(key), bankOrderId: 'NOBODYSORDER000', reference: '999999999' };
  // The default account reads the list that both share, as after a callback.
  await settlement.recordPayments(account, [unknown]);
  const account_id = booked === 'other' ? other : account;
  expect(await receipts()).toMatchObject([{ unmatched: 1, account_id }]);
});

test('a row that names no key is recorded although the credentials of a third account cannot be read', async () => {
  const { deps, settlement, other, id, row, status } = await twoAccounts(OWN);
  await insertRows(deps.db, 'bank_accounts', { id: 'acc_unreadable' });
  await settlement.recordPayments(other, [row(null)]);
  expect(await status(id)).toBe('paid');
});

test('money that was recorded before an attempt with its request id existed does not pay it', async () => {
  const { deps, merchant, settlement, bank, account, other, row, receipts, status, init, clock } =
    await twoAccounts();
  const id = await init();
  const requestId = `request-${bank.references.length}`;
  const earlier = { ...row(null), bankOrderId: null, requestId, entity: null, reference: null };
  await settlement.recordPayments(other, [earlier]);
  await clock.advance(60_000);

  await startMbway(deps, merchant, { transactionId: id, phoneNumber: '912345678' } as never);
  expect(bank.pushes).toMatchObject([{ requestId }]);
  await updateRows(deps.db, 'attempts', { account_id: account });
  await settlement.recordPayments(account, [earlier]);
  expect(await status(id)).toBe('pending');
  expect(await receipts()).toMatchObject([{ unmatched: 1, account_id: other }]);
});

test('an unmatched receipt is read again although the credentials of another account cannot be read since', async () => {
  const { deps, settlement, account, row, receipts } = await twoAccounts();
  const unknown = { ...row('XXX-000000'), bankOrderId: 'NOBODYSORDER000' };
  await settlement.recordPayments(account, [unknown]);
  await insertRows(deps.db, 'bank_accounts', { id: 'acc_unreadable' });
  await settlement.recordPayments(account, [unknown]);
  expect(await receipts()).toMatchObject([{ unmatched: 1, account_id: account }]);
});
