import { afterAll, expect, test } from 'vitest';
import { startService } from '../support/harness.ts';
import { shopWithOwner, signedIn } from './support.ts';

const service = await startService({ whenOver: afterAll });
const { merchant: shop, merchantId, owner } = await shopWithOwner(service, { name: 'A' });
const { merchant: other, owner: stranger } = await shopWithOwner(service, { name: 'B' });
const viewer = await signedIn(service, { role: 'viewer', merchantId });

const DRAFT = {
  merchantId,
  title: 'Bolo',
  amountCents: 1250,
  minCents: null,
  maxCents: null,
  orderId: 'BOLO',
  uses: 2,
  expiresAt: null,
};

const use = (url: string) =>
  fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ method: 'MBWAY', phoneNumber: '911000001' }),
    headers: { origin: 'null' },
    redirect: 'manual',
  });

test('an owner creates a link, sees who paid and closes it; viewers read; foreign merchants see nothing', async () => {
  const { linkId, url } = (await owner.mutate('paymentLinks.create', DRAFT)).value;
  expect((await use(url)).status).toBe(303);
  const paid = async () => (await viewer.query('paymentLinks.show', { merchantId, linkId })).value;
  await expect.poll(async () => (await paid()).paid.length).toBe(1);
  expect(await paid()).toMatchObject({
    link: { title: 'Bolo', active: true, uses: 1, usesMax: 2, paidCount: 1, paidCents: 1250 },
    paid: [
      { orderId: 'BOLO-1', amountCents: 1250, method: 'MBWAY', phoneNumber: '911000001', refunded: false },
    ],
    more: false,
  });
  await shop.init({ orderId: 'OWN-1' });
  const { rows } = (await viewer.query('transactions.list', { merchantId })).value;
  expect(rows).toMatchObject([
    { orderId: 'OWN-1', linkTitle: null },
    { orderId: 'BOLO-1', linkTitle: 'Bolo' },
  ]);
  for (const { transactionId: id, linkTitle } of rows)
    expect((await viewer.query('transaction.show', { merchantId, id })).value).toMatchObject({ linkTitle });
  const file = await (
    await viewer.get(`/export/transactions.csv?merchantId=${merchantId}&language=pt`)
  ).text();
  expect(file.split('\r\n').map((line) => line.split(';').at(-1))).toEqual([
    ...['Link de pagamento', '', 'Bolo', ''],
  ]);
  const [receipt] = await service.app.deps.db.read.selectFrom('receipts').select('id').execute();
  const refund = { merchantId, receiptId: receipt?.id, amountCents: 50 };
  expect((await owner.mutate('refunds.create', refund)).status).toBe(200);
  expect((await viewer.query('refunds.list', { merchantId })).value.rows).toMatchObject([
    { transaction: { orderId: 'BOLO-1', linkTitle: 'Bolo' } },
  ]);
  expect((await paid()).paid).toMatchObject([{ orderId: 'BOLO-1', refunded: true }]);
  const foreign = { merchantId: other.merchantId, linkId };
  expect((await stranger.query('paymentLinks.show', foreign)).error.code).toBe('NOT_FOUND');
  expect((await stranger.mutate('paymentLinks.close', foreign)).error.code).toBe('NOT_FOUND');
  expect((await owner.mutate('paymentLinks.close', { merchantId, linkId })).status).toBe(200);
  expect((await paid()).link).toMatchObject({ active: false, closedAt: expect.any(Number) });
});

test('links are listed newest first, page by page, and a wrong one is refused', async () => {
  for (const title of ['Um', 'Dois'])
    await owner.mutate('paymentLinks.create', { ...DRAFT, title, amountCents: null, minCents: 100 });
  const first = (await viewer.query('paymentLinks.list', { merchantId, limit: 2 })).value;
  expect(first.rows).toMatchObject([{ title: 'Dois', amountCents: null, minCents: 100 }, { title: 'Um' }]);
  const next = await viewer.query('paymentLinks.list', { merchantId, limit: 2, cursor: first.nextCursor });
  expect(next.value).toMatchObject({ rows: [{ title: 'Bolo' }], nextCursor: null });
  const total = await viewer.query('paymentLinks.total', { merchantId });
  expect(total.value).toEqual({ count: 3, more: false, cents: 1250 });
  const wrong = { ...DRAFT, amountCents: null, minCents: 500, maxCents: 100 };
  expect((await owner.mutate('paymentLinks.create', wrong)).error).toMatchObject({
    message: expect.stringContaining('minimum'),
  });
  // A tab comes with a cell copied from a spreadsheet.
  for (const [typed, reason] of [
    [{ title: 'Bolo\tgrande' }, 'link_title'],
    [{ orderId: 'BOLO\t1' }, 'link_order_id'],
  ] as const)
    expect((await owner.mutate('paymentLinks.create', { ...DRAFT, ...typed })).error).toMatchObject({
      reason,
    });
  const ofOther = await stranger.query('paymentLinks.list', { merchantId: other.merchantId });
  expect(ofOther.value.rows).toEqual([]);
});
