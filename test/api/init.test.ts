import { afterAll, describe, expect, test } from 'vitest';
import { startWithMerchant } from '../support/harness.ts';
import { selectRow } from '../support/rows.ts';
import { callerOf, callOperation, callRaw, ENDPOINTS, expectWireHeaders, item, order } from './endpoints.ts';

const { service, merchant } = await startWithMerchant({ whenOver: afterAll });
const caller = callerOf(service, merchant);

async function stored(transactionId: string) {
  const row = await selectRow(service.app.deps.db, 'transactions', { id: transactionId });
  const read = (text: string | null) => JSON.parse(text ?? 'null');
  return {
    row,
    customer: read(row.customer),
    shippingAddress: read(row.shipping_address),
    tracking: read(row.tracking),
    items: read(row.items),
  };
}

describe.each(ENDPOINTS)('init through %s', (endpoint) => {
  const init = (overrides: Record<string, unknown>) =>
    callOperation(endpoint, caller, 'init', order(overrides));
  const accepts = async (overrides: Record<string, unknown>) => {
    const answer = await init(overrides);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return stored(answer.body.transactionId);
  };

  test('answers the id, the amount and the currency', async () => {
    const answer = await init({});
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      transactionId: expect.stringMatching(/^tx_\S+$/),
      amount: 19.99,
      currency: 'EUR',
    });
    expectWireHeaders(answer);
  });

  test.each([
    ['0.01', 0.01],
    ['0.29', 0.29],
    ['1.0', 1],
    ['1.10', 1.1],
    ['4.35', 4.35],
    ['1e2', 100],
    ['5E-2', 0.05],
    ['1001.15', 1001.15],
    ['99999.99', 99_999.99],
  ])('keeps the amount %s to the cent', async (text, amount) => {
    const body = JSON.stringify(order({ amount: '@' })).replace('"@"', text);
    const answer = await callRaw(endpoint, caller, 'init', body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body.amount).toBe(amount);
    expect((await merchant.status(answer.body.transactionId)).amount).toBe(amount);
  });

  test.each([['A'], ['x'.repeat(255)], ['\u{1F6D2}'.repeat(255)], [' Nº 7/ção "a" <b> ']])(
    'keeps the orderId %j',
    async (orderId) => {
      const { row } = await accepts({ orderId });
      expect((await merchant.status(row.id)).externalOrderId).toBe(orderId);
    },
  );

  test('treats null and blank optional members as absent, at every depth', async () => {
    for (const currency of [undefined, null, '', '   ', 'EUR']) {
      expect((await init({ currency })).body.currency).toBe('EUR');
    }
    await accepts({
      shippingAddress: null,
      trackingParameters: '  ',
      customerName: null,
      customer: { name: 'Ana', email: 'ana@shop.pt', phone: null, city: '', country: '  ', zip: null },
    });
    const { tracking } = await accepts({
      shippingAddress: { line1: null, city: '', postalCode: ' ' },
      trackingParameters: { gclid: null, src: 'mail' },
    });
    expect(tracking).toEqual({ src: 'mail' });
  });

  test('accepts texts of 500 characters and every usual form of an e-mail address', async () => {
    const text = '\u{1F9E1}'.repeat(500);
    await accepts({
      customer: { name: text, email: 'a@b.pt', phone: text, address: text, postalCode: text },
      shippingAddress: { line1: text, city: text, country: text },
      trackingParameters: { utm_source: text, sck: text },
      items: [item({ id: 'x'.repeat(500), name: text })],
    });
    for (const email of ['Ana.Silva+loja@sub.shop.co.uk', 'ana&rui@shop.pt', "o'neil/=#!?%*^`{|}~$-_@x.pt"]) {
      const { customer } = await accepts({ customer: { name: 'Ana', email } });
      expect(customer.email).toBe(email);
    }
  });

  test('ignores unknown members and does not store them', async () => {
    const { row, ...texts } = await accepts({
      colour: 'red',
      transactionId: 'tx_mine',
      status: 'paid',
      customer: { name: 'Ana', email: 'ana@shop.pt', password: 'hunter2', constructor: 'x' },
      shippingAddress: { line1: 'Rua 1', lat: 38.7 },
      items: [item({ vatNumber: 23, colour: { deep: true } })],
      trackingParameters: { src: 'mail', referrer: 'x' },
    });
    expect(row.status).toBe('pending');
    expect(texts).toEqual({
      customer: { name: 'Ana', email: 'ana@shop.pt' },
      shippingAddress: { line1: 'Rua 1' },
      tracking: { src: 'mail' },
      items: [item()],
    });
    expect(JSON.stringify(row)).not.toMatch(/hunter2|colour|vatNumber|38\.7|tx_mine/);
  });

  test('reads customerName as customer.name, address_line1 as line1, zip as postalCode', async () => {
    const { customer, shippingAddress } = await accepts({
      customerName: 'Eva',
      customer: { email: 'eva@shop.pt', zip: '1000-001' },
      shippingAddress: { address_line1: 'Rua 2', zip: '4000-002' },
    });
    expect(customer).toEqual({ name: 'Eva', email: 'eva@shop.pt', postalCode: '1000-001' });
    expect(shippingAddress).toEqual({ line1: 'Rua 2', postalCode: '4000-002' });
  });

  test('prefers the canonical member to its alias, unless it is blank', async () => {
    const { customer, shippingAddress } = await accepts({
      customerName: 'Alias',
      customer: { name: 'Canon', email: 'c@shop.pt', postalCode: '1000', zip: '2000' },
      shippingAddress: { line1: 'Canon', address_line1: 'Alias', postalCode: ' ', zip: '3000' },
    });
    expect(customer).toEqual({ name: 'Canon', email: 'c@shop.pt', postalCode: '1000' });
    expect(shippingAddress).toEqual({ line1: 'Canon', postalCode: '3000' });
  });

  test('accepts 200 items, with text and integer ids', async () => {
    expect((await accepts({ items: Array.from({ length: 200 }, () => item()) })).items).toHaveLength(200);
    const { items } = await accepts({ items: ['SKU', 7, 0, -5].map((id) => item({ id })) });
    expect(items).toMatchObject([{ id: 'SKU' }, { id: '7' }, { id: '0' }, { id: '-5' }]);
  });

  test('reads an item price in either unit, or in both when they agree', async () => {
    const prices = [
      { priceInCents: undefined, price: 19.99 },
      { price: 19.99 },
      { price: null },
      { price: '' },
      { priceInCents: null, price: 0.29 },
      { priceInCents: '', price: 4.35 },
      { priceInCents: 0 },
      { priceInCents: undefined, price: 0 },
    ];
    const { items } = await accepts({ items: prices.map(item) });
    expect(items.map(({ priceInCents }: { priceInCents: number }) => priceInCents)).toEqual([
      1999, 1999, 1999, 1999, 29, 435, 0, 0,
    ]);
  });

  test('never compares the items with the amount', async () => {
    await accepts({ items: [item({ quantity: 1000, priceInCents: 99_999_999 })] });
    await accepts({ items: [item({ priceInCents: 1 })] });
  });
});
