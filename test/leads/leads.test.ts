import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foundLeadsCsv } from '../../src/backoffice/leads/leads.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { cents } from '../../src/kernel/money.ts';
import { listLeads } from '../../src/leads/list.ts';
import { selectLeads } from '../../src/leads/store.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { createTransaction } from '../../src/payments/init.ts';
import { testDeps } from '../merchants/support.ts';
import { insertRows } from '../support/rows.ts';
import { orderTexts, register } from './support.ts';

async function listed() {
  const made = await register();
  return { ...made, list: () => listLeads(made.deps, { merchantId: made.merchantId, limit: 100 }) };
}

test('orders with one e-mail address share a lead: counts grow, new values replace old ones, missing values keep them', async () => {
  const { deps, record, list } = await listed();
  const first = await record(
    { name: 'Ana', email: 'Ana@Mail.pt', phone: '912345678' },
    orderTexts([{ id: '1', name: 'Chá', quantity: 1, priceInCents: 1000 }], { utm_source: 'news' }),
  );
  await deps.clock.advance(60_000);
  const second = await record({ name: 'Ana Maria', email: ' ana@mail.pt ' }, { asked_cents: cents(550) });
  expect(second).toBe(first);
  expect(await list()).toEqual([
    {
      leadId: first,
      name: 'Ana Maria',
      email: 'ana@mail.pt',
      phone: '912345678',
      firstSeenAt: '2026-01-15T12:00:00.000Z',
      lastSeenAt: '2026-01-15T12:01:00.000Z',
      orders: 2,
      amountAsked: 15.5,
      ordersPaid: 0,
      amountPaid: 0,
      items: [{ id: '1', name: 'Chá', quantity: 1, priceInCents: 1000 }],
      trackingParameters: { utm_source: 'news' },
    },
  ]);
  await record({ email: 'ana@mail.pt' }, orderTexts([{ id: '2' }], { sck: 'b' }));
  expect(await list()).toMatchObject([{ items: [{ id: '2' }], trackingParameters: { sck: 'b' } }]);
});

const ORDERS = fc.array(
  fc.record({
    email: fc.constantFrom('ana@mail.pt', 'rui@mail.pt'),
    name: fc.constantFrom(null, 'Ana', 'Rui'),
    phone: fc.constantFrom(null, '912345678', '961234567'),
    asked_cents: fc.integer({ min: 1, max: 10_000 }).map(cents),
    items: fc.constantFrom(null, ['1'], ['2']),
    tracking: fc.constantFrom(null, { src: 'a' }, { utm_campaign: 'natal' }, { utm_campaign: 'verao' }),
  }),
  { minLength: 1, maxLength: 8 },
);

test('orders that share a commit change the register as if each had its own', async () => {
  const deps = await testDeps();
  const merchants: Id<'mer'>[] = [];
  for (const name of ['together', 'apart']) {
    merchants.push((await createMerchant(deps, { name, domains: ['shop.pt'] })).merchantId);
  }
  await fc.assert(
    fc.asyncProperty(ORDERS, async (orders) => {
      const [together, apart] = merchants.map((merchantId) =>
        orders.map(({ email, name, phone, asked_cents: amount, items, tracking }) => {
          const given = {
            orderId: email,
            amount,
            customer: { email, ...(name && { name }), ...(phone && { phone }) },
            shippingAddress: null,
            items: items?.map((id) => ({ id, name: 'Chá', quantity: 1, priceInCents: 1 })) ?? null,
            tracking,
            storeHost: 'shop.pt',
          };
          return () =>
            deps.db.unit((tx) => createTransaction(tx, deps, { id: merchantId }, given), { shared: true });
        }),
      );
      await deps.clock.advance(1000);
      await Promise.all((together ?? []).map((create) => create()));
      for (const create of apart ?? []) await create();
      const [one, other] = await Promise.all(
        merchants.map(async (merchantId) => {
          const rows = await selectLeads(deps.db.read, { merchantId, limit: 10 });
          return rows
            .map(({ id: _id, merchant_id: _merchant, ...lead }) => lead)
            .sort((a, b) => (a.identity < b.identity ? -1 : 1));
        }),
      );
      expect(one).toEqual(other);
    }),
    { numRuns: 40 },
  );
});

test('without an e-mail address the phone number identifies the lead, in any Portuguese spelling', async () => {
  const { record, list } = await listed();
  const spellings = ['912345678', '912 345 678', '+351912345678', '00351 912-345-678', '+351 (912) 345 678'];
  const ids = await Promise.all(spellings.map((phone) => record({ phone })));
  expect(new Set(ids).size).toBe(1);
  expect(await record({ phone: '+34912345678' })).not.toBe(ids[0]);
  expect(await list()).toMatchObject([{ orders: 5 }, { orders: 1 }]);
});

test('pages and the CSV have every lead once, in their order', async () => {
  const { deps, merchantId, record } = await register();
  await record({ email: '0@b.pt' }, { ...orderTexts(null, { utm_source: 'a,b' }), asked_cents: cents(199) });
  const emails = Array.from({ length: 501 }, (_, n) => `${n}@b.pt`);
  const later = emails.slice(1).map((email) => ({ id: deps.ids('led'), identity: `email:${email}`, email }));
  await insertRows(deps.db, 'leads', ...later.map((lead) => ({ ...lead, merchant_id: merchantId })));
  const first = await listLeads(deps, { merchantId, limit: 3 });
  const rest = await listLeads(deps, { merchantId, limit: 1000, after: first.at(-1)?.leadId });
  expect([...first, ...rest].map(({ email }) => email)).toEqual(emails);
  let text = '';
  for await (const part of foundLeadsCsv(deps, { merchantId }, 'en')) text += part;
  const lines = text.split('\r\n');
  expect(lines).toHaveLength(503);
  expect(lines[0]).toMatch(/,Lead,Name,Email,.*,Items,utm_source,.*,sck$/);
  expect(lines[501]).toMatch(/,led_\w+,,0@b\.pt,,2026-01-15 12:00:00,.*,1,1\.99,0,0\.00,,"a,b",,,,,,,$/);
});
