import { afterAll, expect, test } from 'vitest';
import type { Id } from '../../src/kernel/ids.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { visitPage } from '../checkout/support.ts';
import { startService } from '../support/harness.ts';
import { insertRows, selectRow, updateRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { allRows, auditLog, effectOf, signedIn } from './support.ts';
import { cases } from './web/money-cases.ts';

const service = await startService({ whenOver: afterAll });
const money = cases(service);
const shop = await service.merchant({ name: 'A' });
const other = await service.merchant({ name: 'B' });
const operator = await signedIn(service, { role: 'operator' });

const { deps } = service.app;
const last = async () => (await money.receipts()).at(-1)?.id ?? '';
/** What an operator reads of the cases of all merchants. */
const across = async (name: 'list' | 'kinds' | 'sum' | 'show', input: object = {}) =>
  (await operator.query(`exceptions.${name}`, { merchantId: null, ...input })).value;

test('viewers read and owners act on the cases of their own merchant only', async () => {
  await (await money.reference(shop, 'SHORT')).pay(5);
  const receiptId = await last();
  const { merchantId } = shop;
  const viewer = await signedIn(service, { role: 'viewer', merchantId });
  const owner = await signedIn(service, { role: 'owner', merchantId });
  const stranger = await signedIn(service, { role: 'owner', merchantId: other.merchantId });
  const order = { merchantId, receiptId, amountCents: 500, note: 'by transfer' };

  const { value } = await viewer.query('exceptions.list', { merchantId });
  expect(value.rows).toMatchObject([{ receiptId, flags: ['under'], amountCents: 500, settlement: null }]);
  expect((await viewer.query('exceptions.counts', { merchantId })).value.count).toBe(1);
  const foreign = { ...order, merchantId: other.merchantId };
  expect((await stranger.mutate('exceptions.markReturned', foreign)).error.code).toBe('NOT_FOUND');
  expect(
    (await stranger.query('exceptions.show', { merchantId: other.merchantId, receiptId })).error.code,
  ).toBe('NOT_FOUND');
  expect((await owner.mutate('exceptions.markReturned', { ...order, amountCents: 1 })).error).toMatchObject({
    code: 'BAD_REQUEST',
    reason: 'case_sum',
  });
  expect((await owner.mutate('exceptions.markReturned', order)).status).toBe(200);
  expect((await owner.mutate('exceptions.markReturned', order)).error.reason).toBe('case_settled');
  expect((await viewer.query('exceptions.list', { merchantId })).value.rows).toEqual([]);
  const settled = await viewer.query('exceptions.list', { merchantId, state: 'settled' });
  expect(settled.value.rows).toMatchObject([{ receiptId, settlement: 'returned', returnedCents: 500 }]);
  expect(await auditLog(service, { target: receiptId })).toMatchObject([
    { action: 'receipt.returned', actor: owner.email, merchant_id: merchantId },
  ]);
});

test('part payments of a transaction lack one sum together, and none once it is reached', async () => {
  const { merchantId } = other;
  const owner = await signedIn(service, { role: 'owner', merchantId });
  const cases = async (state: 'open' | 'settled') =>
    (await owner.query('exceptions.list', { merchantId, state })).value.rows;
  const sale = await money.reference(other, 'PARTS');
  await (await money.reference(other, 'ANOTHER')).pay(1);
  await sale.pay(5);
  await sale.pay(8);
  const both = { receivedCents: 1300, missingCents: 699, transaction: { orderId: 'PARTS' } };
  expect(await cases('open')).toMatchObject([{ receivedCents: 100, missingCents: 1899 }, both, both]);
  const receiptId = await last();
  expect((await owner.query('exceptions.show', { merchantId, receiptId })).value).toMatchObject(both);
  await sale.pay(7);
  const reached = { receivedCents: 2000, missingCents: 0 };
  expect((await cases('open')).slice(1)).toMatchObject([reached, reached, reached]);
  const { rows } = await across('list', { ofMerchant: merchantId });
  expect(rows.slice(1)).toMatchObject([reached, reached, reached]);
  const credit = { transactionId: sale.id, receivedCents: 2000, note: '' };
  expect((await operator.mutate('exceptions.credit', credit)).status).toBe(200);
  expect(await cases('open')).toHaveLength(1);
  const none = { settlement: 'credited', missingCents: null };
  expect(await cases('settled')).toMatchObject([none, none, none]);
});

test('a held transaction’s money is hidden from its merchant and visible to operators', async () => {
  const { merchantId } = shop;
  const sale = await money.reference(shop, 'HELD');
  await sale.pay(3);
  const before = await last();
  await setMerchant(deps, merchantId, { hold: true });
  await sale.pay(25);
  const paying = await last();
  await sale.pay();
  await setMerchant(deps, merchantId, { hold: false });
  const owner = await signedIn(service, { role: 'owner', merchantId });
  const { value } = await owner.query('exceptions.list', { merchantId });
  expect(value.rows).toMatchObject([{ receiptId: before, transaction: { status: 'pending', held: false } }]);
  const own = await owner.query('exceptions.show', { merchantId, receiptId: before });
  expect(own.value).toMatchObject({ receivedCents: 300, transaction: { held: false } });
  expect((await owner.query('exceptions.show', { merchantId, receiptId: paying })).error.code).toBe(
    'NOT_FOUND',
  );
  const note = { merchantId, receiptId: before, internal: true };
  await operator.mutate('exceptions.note', { ...note, text: 'Between operators.' });
  await operator.mutate('exceptions.note', { ...note, internal: false, text: 'For the merchant.' });
  await owner.mutate('exceptions.note', { ...note, text: 'Seen.' });
  const noted = await owner.query('exceptions.show', { merchantId, receiptId: before });
  expect(noted.value.notes).toMatchObject([
    { text: 'For the merchant.', internal: false, actor: null },
    { text: 'Seen.', internal: false, actor: owner.email },
  ]);
  // Nor does the merchant read an internal note in its audit log.
  const entries = await auditLog(service, { action: 'receipt.noted', target: before });
  expect(entries.map(({ merchant_id }) => merchant_id)).toEqual([null, merchantId, merchantId]);
  const keep = { merchantId, receiptId: paying, note: '' };
  expect((await owner.mutate('exceptions.keep', keep)).error.code).toBe('NOT_FOUND');
  const all = await across('list', { ofMerchant: merchantId });
  expect(all.rows).toMatchObject([{ flags: ['under'] }, { flags: ['over'] }, { flags: ['duplicate'] }]);
  expect((await across('sum', { ofMerchant: merchantId })).count).toBe(3);
  expect((await owner.query('exceptions.sum', { merchantId })).value).toEqual({
    count: 1,
    cents: value.rows[0].amountCents,
    more: false,
  });

  // The list shows the merchant the same as before the hold.
  const listed = await owner.query('transactions.list', { merchantId, attention: true });
  const pending = { status: 'pending', held: false, attention: ['under'] };
  expect(listed.value.rows).toMatchObject([{ transactionId: sale.id, ...pending }]);
  // On the merchant's page the operator finds what the transactions there call for attention.
  const marked = await operator.query('transactions.list', { merchantId, attention: true });
  expect(marked.value.rows).toMatchObject([{ transactionId: sale.id, held: true }]);
  const there = await operator.query('exceptions.list', { merchantId });
  expect(there.value.rows).toEqual(all.rows);
  expect((await operator.query('exceptions.counts', { merchantId })).value.count).toBe(3);
  expect((await operator.query('overview.show', { merchantId })).value.exceptions).toBe(3);
  expect((await owner.query('overview.show', { merchantId })).value.exceptions).toBe(1);
  const shown = await operator.query('exceptions.show', { merchantId, receiptId: paying });
  expect(shown.value).toMatchObject({ transaction: { held: true } });
  const elsewhere = { merchantId: other.merchantId, receiptId: paying };
  expect((await operator.query('exceptions.show', elsewhere)).error.code).toBe('NOT_FOUND');
  const text = 'Asked the customer.';
  const heldNote = { merchantId, receiptId: paying, internal: true, text };
  expect((await operator.mutate('exceptions.note', heldNote)).status).toBe(200);

  const held = await operator.query('review.list', { ofMerchant: merchantId });
  expect(held.value.rows).toMatchObject([{ transactionId: sale.id, orderId: 'HELD', amountCents: 1999 }]);
  expect((await operator.query('review.totals')).value).toMatchObject({ count: 1, amountCents: 1999 });
  const release = { transactionIds: [sale.id, 'tx_nothing', sale.id] };
  expect((await owner.mutate('review.release', release)).error.code).toBe('FORBIDDEN');
  expect((await operator.mutate('review.release', release)).value).toEqual([
    { transactionId: sale.id, outcome: 'released' },
    { transactionId: 'tx_nothing', outcome: 'failed' },
  ]);
  expect((await operator.mutate('review.release', { transactionIds: [sale.id] })).value).toEqual([
    { transactionId: sale.id, outcome: 'paid' },
  ]);
  expect((await operator.mutate('review.release', { transactionIds: Array(101).fill('tx_1') })).status).toBe(
    400,
  );
  expect((await owner.query('exceptions.list', { merchantId })).value.rows).toHaveLength(3);
  // Only the money that paid the transaction may be kept.
  const part = await owner.mutate('exceptions.keep', { ...keep, receiptId: before });
  expect(part.error.reason).toBe('case_not_paying');
  expect((await owner.mutate('exceptions.keep', keep)).status).toBe(200);
  const kept = await owner.query('exceptions.show', { merchantId, receiptId: paying });
  expect(kept.value).toMatchObject({ settlement: 'credited', returnedCents: null });
});

test('an operator pages through all cases by flag and merchant, oldest first', async () => {
  const sale = await money.reference(other, 'MANY');
  await sale.pay();
  await sale.pay();
  await sale.pay();
  const cases = await allRows<{ receiptId: string }>(async (cursor) => {
    const page = await across('list', { flag: 'duplicate', limit: 1, cursor });
    expect(page.rows).toHaveLength(1);
    return page;
  });
  const seen = cases.map(({ receiptId }) => receiptId);
  expect(seen).toEqual(seen.toSorted());
  const total = { count: seen.length, cents: seen.length * 1999, more: false };
  expect(await across('kinds')).toContainEqual(expect.objectContaining({ flag: 'duplicate', ...total }));
  expect((await operator.query('exceptions.list', { merchantId: null, cursor: 'nonsense' })).status).toBe(
    400,
  );

  const resolved = seen.toReversed();
  for (const receiptId of resolved) {
    const order = { merchantId: null, receiptId, amountCents: 1999, note: 'by transfer' };
    expect((await operator.mutate('exceptions.markReturned', order)).status).toBe(200);
  }
  const settled = { state: 'settled', flag: 'duplicate' };
  const first = await across('list', { ...settled, limit: 1 });
  const rest = await across('list', { ...settled, cursor: first.nextCursor });
  const order = [...first.rows, ...rest.rows].map((row) => row.settledAt);
  expect(order).toEqual(order.toSorted((a, b) => b - a));
  expect(order).toHaveLength(resolved.length);
  expect(first.rows).toMatchObject([{ receiptId: resolved.at(-1), customer: { email: 'ana@shop.pt' } }]);
  expect(await across('sum', settled)).toEqual(total);
  expect(await across('sum', { flag: 'duplicate' })).toEqual({ count: 0, cents: 0, more: false });
});

test('unmatched money lists candidate transactions with the effect of assigning', async () => {
  const id = await other.init({ orderId: 'FITS', amount: 47.11 });
  const receiptId = await money.stranger(47.11);
  const { can, candidates } = await across('show', { receiptId });
  expect(can).toEqual({ assign: true, creditCents: null, returnCents: 4711, keep: false });
  expect(candidates).toMatchObject([{ transactionId: id, likeness: 'amount', settlement: 'paid' }]);
  const elsewhere = await other.init({ orderId: 'LESS', amount: 50 });
  const preview = await operator.query('exceptions.preview', { receiptId, transactionId: elsewhere });
  expect(preview.value).toMatchObject({ settlement: 'none', flags: { under: true } });
  const order = { receiptId, note: '', shown: effectOf(candidates[0]) };
  const assigned = await operator.mutate('exceptions.assign', { ...order, transactionId: id });
  expect(assigned.value).toMatchObject({ status: 'paid' });
  await until(async () => (await other.status(id)).status === 'paid', 'the payment');
  const missing = { ...order, transactionId: 'tx_nothing' };
  expect((await operator.mutate('exceptions.assign', missing)).error.reason).toBe('case_no_transaction');
});

test('the audit log names the flags of an assignment in words, and none for money that fits', async () => {
  const { merchantId } = other;
  const assign = async (amount: number) => {
    const transactionId = await other.init({ orderId: `FLAGS-${amount}`, amount: 20 });
    const receiptId = await money.stranger(amount);
    const { value } = await operator.query('exceptions.preview', { receiptId, transactionId });
    const order = { receiptId, transactionId, note: '', shown: effectOf(value) };
    expect((await operator.mutate('exceptions.assign', order)).status).toBe(200);
  };
  await assign(20);
  await assign(25);
  const query = `ofMerchant=${merchantId}&action=receipt.assigned&language=en`;
  const [, over, fits] = (await (await operator.get(`/export/audit.csv?${query}`)).text()).split('\r\n');
  expect(over).toMatch(/"transaction: tx_\w+; amount: 25\.00; flags: excess"$/);
  expect(fits).toMatch(/"transaction: tx_\w+; amount: 20\.00"$/);
});

test('candidates have the reference or the amount of the money, and belong to the owner of its account', async () => {
  const receiptId = await money.stranger(12.34);
  const { entity, reference, account_id } = await selectRow(deps.db, 'receipts', { id: receiptId });
  const byReference = (await other.init({ orderId: 'DIGITS', amount: 99 })) as Id<'tx'>;
  const unlike = (await other.init({ orderId: 'ENTITY', amount: 98 })) as Id<'tx'>;
  const byAmount = await other.init({ orderId: 'AMOUNT', amount: 12.34 });
  const attempt = { transaction_id: byReference, merchant_id: other.merchantId, account_id, reference };
  const written = { ...attempt, method: 'REFERENCE', created_at: deps.clock.now() } as const;
  const state = 'expired';
  const same = { ...written, id: deps.ids('att'), bank_order_id: 'SAMEDIGITS', entity, state } as const;
  const ofOther = { id: deps.ids('att'), bank_order_id: 'SAMEREF', entity: '99999' } as const;
  await insertRows(deps.db, 'attempts', same, { ...same, ...ofOther, transaction_id: unlike });
  const candidates = async () => (await across('show', { receiptId })).candidates;
  expect(await candidates()).toMatchObject([
    { transactionId: byReference, likeness: 'reference' },
    { transactionId: byAmount, likeness: 'amount' },
  ]);
  const move = (owner: Id<'mer'> | null) =>
    updateRows(deps.db, 'bank_accounts', { merchant_id: owner }, { id: account_id });
  await move(shop.merchantId as Id<'mer'>);
  expect(await candidates()).toEqual([]);
  await move(null);
});

test('the preview of an assignment says that another transaction of the session has paid the order', async () => {
  const { step, shows, state } = await visitPage(service, other, { orderId: 'TWICE', locale: 'en' });
  const transactionId = (await state()).transactionId ?? '';
  await step({ method: 'MBWAY', phoneNumber: '911000002' });
  await other.reaches(transactionId, 'failed');
  await step({ method: 'MBWAY', phoneNumber: '911000001' });
  await shows('Payment confirmed');
  const receiptId = await money.stranger(((await money.receipts()).at(-1)?.amount_cents ?? 0) / 100);
  const preview = await operator.query('exceptions.preview', { receiptId, transactionId });
  const order = { receiptId, transactionId, note: '', shown: effectOf(preview.value) };
  await operator.mutate('exceptions.assign', order);
  const assigned = (await money.receipts()).find(({ id }) => id === receiptId);
  expect(assigned).toMatchObject({ late: 1, duplicate: 1 });
  expect(preview.value).toMatchObject({ settlement: 'paid', flags: { late: true, duplicate: true } });
});
