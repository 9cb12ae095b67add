import { afterAll, expect, test } from 'vitest';
import { listLeads } from '../../src/leads/list.ts';
import { startService, type TestMerchant } from '../support/harness.ts';
import { until } from '../support/until.ts';
import { callerOf, callOperation, order } from './endpoints.ts';

const service = await startService({
  whenOver: afterAll,
  env: { SERVICE_REQUIRE_CHECKOUT_DATA: 'false' },
});

function leadsOf({ merchantId }: TestMerchant) {
  return listLeads(service.app.deps, { merchantId, limit: 100 });
}

async function pay(merchant: TestMerchant, transactionId: string): Promise<void> {
  const { body } = await merchant.post('/payments/multibanco', { transactionId });
  await service.control('/multibanco', { entity: body.entity, reference: body.reference });
  await merchant.reaches(transactionId, 'paid');
}

test('an init with customer data is a lead, with what was asked, the items and the tracking', async () => {
  const merchant = await service.merchant();
  await merchant.init({ amount: 10.5, trackingParameters: { utm_source: 'mail' } });
  expect(await leadsOf(merchant)).toEqual([
    expect.objectContaining({
      name: 'Ana Silva',
      email: 'ana@shop.pt',
      phone: '912345678',
      orders: 1,
      amountAsked: 10.5,
      ordersPaid: 0,
      amountPaid: 0,
      items: [expect.objectContaining({ id: 'SKU-1', name: 'Mug', quantity: 1 })],
      trackingParameters: { utm_source: 'mail' },
    }),
  ]);
});

test('one e-mail is one lead of the merchant, however it is written and whichever endpoint it comes through', async () => {
  const merchant = await service.merchant();
  const customers = [
    { name: 'Ana', email: 'ana@shop.pt' },
    { name: 'Ana Silva', email: 'Ana@Shop.PT', phone: '912000001' },
    { email: 'ANA@SHOP.PT', phone: '912000002' },
  ];
  for (const customer of customers) await merchant.init({ customer, amount: 10 });
  await callOperation(
    'tRPC',
    callerOf(service, merchant),
    'init',
    order({ customer: customers[0], amount: 2.5 }),
  );
  const leads = await leadsOf(merchant);
  expect(leads).toHaveLength(1);
  expect(leads[0]).toMatchObject({ orders: 4, amountAsked: 32.5, ordersPaid: 0, amountPaid: 0 });
  const { firstSeenAt = '', lastSeenAt = '' } = leads[0] ?? {};
  expect(Date.parse(lastSeenAt)).toBeGreaterThanOrEqual(Date.parse(firstSeenAt));
});

test('an order without items or tracking leaves those that the lead has', async () => {
  const merchant = await service.merchant();
  await merchant.init({ trackingParameters: { utm_source: 'mail' } });
  await merchant.init({ items: [], trackingParameters: {} });
  await merchant.init({ items: [], trackingParameters: { utm_source: ' ' } });
  expect(await leadsOf(merchant)).toEqual([
    expect.objectContaining({
      orders: 3,
      items: [expect.objectContaining({ id: 'SKU-1' })],
      trackingParameters: { utm_source: 'mail' },
    }),
  ]);
});

test('without an e-mail the phone makes the lead, however it is spaced', async () => {
  const merchant = await service.merchant();
  for (const phone of ['912345678', '912 345 678', '912-345-678']) {
    await merchant.init({ customer: { name: 'Rui', phone } });
  }
  await merchant.init({ customer: { phone: '913000000' } });
  const leads = await leadsOf(merchant);
  expect(leads.map(({ orders }) => orders)).toEqual([3, 1]);
  expect(leads.map(({ email }) => email)).toEqual([null, null]);
});

test('two merchants do not share their leads', async () => {
  const [one, two] = [await service.merchant(), await service.merchant()];
  await one.init();
  await two.init();
  await two.init();
  expect((await leadsOf(one)).map(({ orders }) => orders)).toEqual([1]);
  expect((await leadsOf(two)).map(({ orders }) => orders)).toEqual([2]);
});

test('neither a refused init nor one without e-mail and phone nor a replay makes or moves a lead', async () => {
  const merchant = await service.merchant();
  await merchant.post('/payments/init', order({ amount: 0 }));
  await merchant.post('/payments/init', order({ storeUrl: 'https://other.pt' }));
  await merchant.init({ customer: undefined });
  await merchant.init({ customer: { city: 'Porto' } });
  expect(await leadsOf(merchant)).toEqual([]);

  const key = { 'idempotency-key': 'once' };
  await merchant.post('/payments/init', order(), key);
  await merchant.post('/payments/init', order(), key);
  expect((await leadsOf(merchant)).map(({ orders }) => orders)).toEqual([1]);
});

test('a paid transaction counts as paid once, with its own amount', async () => {
  const merchant = await service.merchant();
  const transactionId = await merchant.init({ amount: 19.99 });
  await merchant.init({ amount: 5 });
  await pay(merchant, transactionId);
  const paid = { orders: 2, amountAsked: 24.99, ordersPaid: 1, amountPaid: 19.99 };
  expect(await leadsOf(merchant)).toMatchObject([paid]);

  // The same reference once more is a second receipt and no second sale.
  const { mb } = await merchant.status(transactionId);
  await service.control('/multibanco', { entity: mb.entity, reference: mb.reference });
  await until(async () => {
    const rows = await service.app.deps.db.read
      .selectFrom('receipts')
      .select('id')
      .where('transaction_id', '=', transactionId as `tx_${string}`)
      .execute();
    return rows.length === 2;
  }, 'the second receipt');
  expect(await leadsOf(merchant)).toMatchObject([paid]);
});
