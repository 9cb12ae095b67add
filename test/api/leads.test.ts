import { afterAll, expect, test } from 'vitest';
import { listLeads } from '../../src/leads/list.ts';
import { startService, type TestMerchant } from '../support/harness.ts';
import { selectRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { order } from './endpoints.ts';

const service = await startService({
  whenOver: afterAll,
  env: { SERVICE_REQUIRE_CHECKOUT_DATA: 'false' },
});

function leadsOf({ merchantId }: TestMerchant) {
  return listLeads(service.app.deps, { merchantId, limit: 100 });
}

test('an init with customer data records a lead with the amount, the items and the tracking', async () => {
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

test('a refused init, a replay, and one without e-mail and phone record no lead', async () => {
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

test('a transaction paid twice counts as one paid order of the lead', async () => {
  const merchant = await service.merchant();
  const { id, mb } = await merchant.reference({ amount: 19.99 });
  await merchant.init({ amount: 5 });
  await service.control('/multibanco', mb);
  await merchant.reaches(id, 'paid');
  const paid = { orders: 2, amountAsked: 24.99, ordersPaid: 1, amountPaid: 19.99 };
  expect(await leadsOf(merchant)).toMatchObject([paid]);

  // Paying the reference again is a second receipt, not a second sale.
  await service.control('/multibanco', mb);
  const receipts = () => selectRows(service.app.deps.db, 'receipts', { transaction_id: id });
  await until(async () => (await receipts()).length === 2, 'the second receipt');
  expect(await leadsOf(merchant)).toMatchObject([paid]);
});

test('inits that arrive together create one lead per customer and add up, whatever characters their texts have', async () => {
  const merchant = await service.merchant();
  const names = ['Ana', 'quote " and \\ backslash', 'half \ud83d of a pair', 'two\nlines', 'É 🛒'];
  const ids = await Promise.all(
    Array.from({ length: 30 }, (_, place) =>
      merchant.init({
        orderId: `ORDER-${place}`,
        amount: 1 + place,
        customer: place % 6 === 5 ? undefined : { name: names[place % 6], email: `${place % 6}@mail.pt` },
        items: undefined,
      }),
    ),
  );
  const leads = await leadsOf(merchant);
  expect(leads.map((lead) => [lead.email, lead.orders, lead.amountAsked]).toSorted()).toEqual(
    Array.from({ length: 5 }, (_, customer) => [`${customer}@mail.pt`, 5, 5 + 5 * customer + 60]),
  );
  expect(new Set(leads.map(({ name }) => name))).toEqual(new Set(names.map((name) => name.toWellFormed())));
  for (const [place, transactionId] of ids.entries()) {
    const { body } = await merchant.get(`/payments/status?transactionId=${transactionId}`);
    expect(body).toMatchObject({ externalOrderId: `ORDER-${place}`, amount: 1 + place, status: 'pending' });
  }
});
