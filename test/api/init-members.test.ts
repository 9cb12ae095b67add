import { afterAll, describe, expect, test } from 'vitest';
import { startService } from '../support/harness.ts';
import { callerOf, callRaw, ENDPOINTS, expectRefusal, initThrough, item, order } from './endpoints.ts';

const service = await startService({ whenOver: afterAll });
const merchant = await service.merchant();
const caller = callerOf(service, merchant);

async function stored(transactionId: string) {
  return service.app.deps.db.read
    .selectFrom('transactions')
    .selectAll()
    .where('id', '=', transactionId as `tx_${string}`)
    .executeTakeFirstOrThrow();
}

describe.each(ENDPOINTS)('the people and addresses of an init through %s', (endpoint) => {
  const { accepts, refuses } = initThrough(endpoint, caller);

  test.each(['customer', 'shippingAddress', 'trackingParameters'])(
    'refuses a %s that is no object',
    async (member) => {
      for (const value of ['x', 7, true, [], [{}]]) await refuses({ [member]: value }, [member]);
    },
  );

  const TEXTS: Record<string, string[]> = {
    customer: ['name', 'phone', 'address', 'city', 'postalCode', 'country'],
    shippingAddress: ['line1', 'city', 'postalCode', 'country'],
    trackingParameters: [
      'utm_source',
      'utm_medium',
      'utm_campaign',
      'fbclid',
      'gclid',
      'ttclid',
      'src',
      'sck',
    ],
  };

  test.each(Object.keys(TEXTS))('takes texts of 500 characters for every member of %s', async (parent) => {
    const names = TEXTS[parent] ?? [];
    const base = parent === 'customer' ? { name: 'Ana', email: 'ana@shop.pt' } : {};
    const texts = Object.fromEntries(names.map((name) => [name, '\u{1F9E1}'.repeat(500)]));
    await accepts({ [parent]: { ...base, ...texts } });
  });

  test.each(Object.keys(TEXTS))('names every member of %s that is no text or too long', async (parent) => {
    const names = TEXTS[parent] ?? [];
    for (const value of [7, true, [], {}, 'x'.repeat(501), '\u{1F9E1}'.repeat(501)]) {
      const base = parent === 'customer' ? { name: 'Ana', email: 'ana@shop.pt' } : {};
      const faulty = Object.fromEntries(names.map((name) => [name, value]));
      await refuses(
        { [parent]: { ...base, ...faulty } },
        names.map((name) => `${parent}.${name}`),
      );
    }
  });

  test('takes null and blank optional members, at every depth, for absent', async () => {
    await accepts({
      shippingAddress: null,
      trackingParameters: '  ',
      currency: null,
      customerName: null,
      customer: { name: 'Ana', email: 'ana@shop.pt', phone: null, city: '', country: '  ', zip: null },
    });
    const id = await accepts({
      shippingAddress: { line1: null, city: '', postalCode: ' ' },
      trackingParameters: { gclid: null, src: 'mail' },
    });
    expect(JSON.parse((await stored(id)).tracking ?? '')).toEqual({ src: 'mail' });
  });

  test.each(['ana@shop.pt', 'Ana.Silva+loja@sub.shop.co.uk', 'a@b.pt'])(
    'accepts the e-mail %s',
    async (email) => {
      await accepts({ customer: { name: 'Ana', email } });
    },
  );

  test.each([
    ['ana'],
    ['ana@'],
    ['@shop.pt'],
    ['ana@@shop.pt'],
    ['a b@shop.pt'],
    ['ana@shop.pt, eva@shop.pt'],
    ['ana@shop .pt'],
    [`${'x'.repeat(501)}@shop.pt`],
    [7],
    [true],
    [['ana@shop.pt']],
  ])('refuses the e-mail %j', (email) => refuses({ customer: { name: 'Ana', email } }, ['customer.email']));

  test('neither stores nor minds members that it does not know', async () => {
    const id = await accepts({
      colour: 'red',
      transactionId: 'tx_mine',
      status: 'paid',
      customer: { name: 'Ana', email: 'ana@shop.pt', password: 'hunter2', constructor: 'x' },
      shippingAddress: { line1: 'Rua 1', lat: 38.7 },
      items: [item({ vatNumber: 23, colour: { deep: true } })],
      trackingParameters: { src: 'mail', referrer: 'x' },
    });
    const row = await stored(id);
    expect(row.status).toBe('pending');
    expect(JSON.parse(row.customer ?? '')).toEqual({ name: 'Ana', email: 'ana@shop.pt' });
    expect(JSON.parse(row.shipping_address ?? '')).toEqual({ line1: 'Rua 1' });
    expect(JSON.parse(row.tracking ?? '')).toEqual({ src: 'mail' });
    expect(JSON.stringify(row)).not.toMatch(/hunter2|colour|vatNumber|38\.7|tx_mine/);
  });

  test('is not moved by a member called __proto__', async () => {
    const text = JSON.stringify(order({ orderId: undefined })).replace('{', '{"__proto__":{"orderId":"X"},');
    expectRefusal(await callRaw(endpoint, caller, 'init', text), 400, 'INVALID_FIELDS', ['orderId']);
  });

  test('reads customerName as customer.name, address_line1 as line1, zip as postalCode', async () => {
    const id = await accepts({
      customerName: 'Eva',
      customer: { email: 'eva@shop.pt', zip: '1000-001' },
      shippingAddress: { address_line1: 'Rua 2', zip: '4000-002' },
    });
    const row = await stored(id);
    expect(JSON.parse(row.customer ?? '')).toEqual({
      name: 'Eva',
      email: 'eva@shop.pt',
      postalCode: '1000-001',
    });
    expect(JSON.parse(row.shipping_address ?? '')).toEqual({ line1: 'Rua 2', postalCode: '4000-002' });
  });

  test('lets the canonical member win over its alias, a blank one excepted', async () => {
    const row = await stored(
      await accepts({
        customerName: 'Alias',
        customer: { name: 'Canon', email: 'c@shop.pt', postalCode: '1000', zip: '2000' },
        shippingAddress: { line1: 'Canon', address_line1: 'Alias', postalCode: ' ', zip: '3000' },
      }),
    );
    expect(JSON.parse(row.customer ?? '')).toEqual({
      name: 'Canon',
      email: 'c@shop.pt',
      postalCode: '1000',
    });
    expect(JSON.parse(row.shipping_address ?? '')).toEqual({ line1: 'Canon', postalCode: '3000' });
  });

  test('names a faulty alias as it was sent', async () => {
    const customer = { email: 'ana@shop.pt' };
    await refuses({ customerName: 7, customer }, ['customerName']);
    await refuses({ customerName: 'x'.repeat(501), customer }, ['customerName']);
    await refuses({ customer: { ...customer, name: 'Ana', zip: 1000 } }, ['customer.zip']);
    await refuses({ shippingAddress: { address_line1: 7, zip: ['x'] } }, [
      'shippingAddress.address_line1',
      'shippingAddress.zip',
    ]);
  });
});
