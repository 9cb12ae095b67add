import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { startService } from '../support/harness.ts';
import { callerOf, callOperation, callRaw, ENDPOINTS, expectRefusal, item, order } from './endpoints.ts';

const service = await startService({ whenOver: afterAll });
const caller = callerOf(service, await service.merchant());

type Body = Record<string, unknown>;

const NOT_OBJECTS = ['x', 7, true, [], [{}]];
const NOT_TEXTS = [7, true, [], {}, 'x'.repeat(501), '\u{1F9E1}'.repeat(501)];
const MISSING = [undefined, null, '', ' \t '];

/** Values that the contract refuses, by the member that the refusal names. */
const FAULTS: Record<string, readonly unknown[]> = {
  orderId: [
    ...MISSING,
    ...['x'.repeat(256), '\u{1F6D2}'.repeat(256), 7, true, ['A'], {}],
    ...['A\u0000B', 'A\nB', 'A\tB', 'A\u001fB', 'A\u007f', 'A\u0085'],
  ],
  amount: [
    ...MISSING,
    ...[0, -1, -0.01, 0.001, 0.009, 19.999, 0.30000000000000004, 1e-7, 99_999.991, 99_999.995, 100_000],
    ...['12', 'NaN', '19.99', true, false, [7], [], { value: 1 }],
  ],
  currency: ['eur', 'USD', 'EUR ', '€', 978, true, ['EUR'], {}],
  storeUrl: [
    ...['shop.pt', 'not an address', '//shop.pt', 'ftp://shop.pt', 'javascript:alert(1)', 'https://'],
    ...['https:shop.pt', `https://${'x.'.repeat(200)}shop.pt`, 7, true, ['https://shop.pt'], {}],
  ],
  customer: NOT_OBJECTS,
  'customer.email': [
    ...['ana', 'ana@', '@shop.pt', 'ana@@shop.pt', 'a b@shop.pt', 'ana@shop.pt, eva@shop.pt'],
    ...['.ana@shop.pt', 'ana.@shop.pt', 'a..b@shop.pt', 'ana@shop', 'ana@shop..pt', 'ana<eva@shop.pt>'],
    ...[`${'x'.repeat(501)}@shop.pt`, 7, true, ['ana@shop.pt']],
  ],
  'customer.zip': [1000],
  customerName: [7, 'x'.repeat(501)],
  shippingAddress: NOT_OBJECTS,
  'shippingAddress.address_line1': [7],
  trackingParameters: NOT_OBJECTS,
  items: ['x', 7, true, {}, { 0: item() }, Array.from({ length: 201 }, () => item())],
  'items[0]': ['x', '', 7, null, true, []],
  'items[0].id': [...MISSING, 1.5, 1e20, true, [], {}, 'x'.repeat(501)],
  'items[0].name': [...MISSING, ...NOT_TEXTS],
  'items[0].quantity': [...MISSING, 0, -1, 1.5, '1', true, [1], {}],
  'items[0].priceInCents': [...MISSING, -1, 1.5, '1999', true, [1], {}],
  'items[1].price': [-1, -0.01, 0.001, 19.999, '19.99', true, [1], {}],
};
const TEXTS: Record<string, string[]> = {
  customer: ['name', 'phone', 'address', 'city', 'postalCode', 'country'],
  shippingAddress: ['line1', 'city', 'postalCode', 'country'],
  trackingParameters: ['utm_source', 'utm_medium', 'utm_campaign', 'fbclid', 'gclid', 'ttclid', 'src', 'sck'],
};
for (const [parent, names] of Object.entries(TEXTS)) {
  for (const name of names) FAULTS[`${parent}.${name}`] = NOT_TEXTS;
}

/** An order in which no fault hides another. */
function soundOrder(): Body {
  return order({
    customer: { email: 'ana@shop.pt' },
    customerName: 'Ana',
    shippingAddress: {},
    trackingParameters: {},
    items: [item(), item({ priceInCents: undefined, price: 19.99 })],
  });
}

/** Sets the member at a dotted path with indices. */
function put(body: Body, path: string, value: unknown): void {
  const steps = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  const last = steps.pop() ?? '';
  const parent = steps.reduce((at, step) => at[step] as Body, body);
  parent[last] = value;
}

describe.each(ENDPOINTS)('init through %s', (endpoint) => {
  const init = (body: Body, who = caller) => callOperation(endpoint, who, 'init', body);
  const refuses = async (faults: readonly (readonly [path: string, value: unknown])[]) => {
    const body = soundOrder();
    for (const [path, value] of faults) put(body, path, value);
    const fields = faults.map(([path]) => path);
    expectRefusal(await init(body), 400, 'INVALID_FIELDS', fields);
  };

  test.each(Object.entries(FAULTS))('refuses a faulty %s and names it', async (path, values) => {
    for (const value of values) await refuses([[path, value]]);
  });

  test('names every faulty member at once', async () => {
    // A parent hides the faults of its members; an alias gives way to its canonical name.
    const parents = ['customer', 'shippingAddress', 'trackingParameters', 'items', 'items[0]'];
    const aliases = ['customerName', 'customer.zip', 'shippingAddress.address_line1'];
    const leaves = Object.entries(FAULTS).filter(([path]) => ![...parents, ...aliases].includes(path));
    const faults = leaves.map(([path, values]) => fc.tuple(fc.constant(path), fc.constantFrom(...values)));
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(...faults).chain((all) => fc.subarray(all, { minLength: 1 })),
        refuses,
      ),
      { numRuns: 75 },
    );
  });

  test.each([...MISSING])('names a missing price (%j) together with a fractional quantity', async (value) => {
    await refuses([
      ['items[0].quantity', 1.5],
      ['items[0].priceInCents', value],
    ]);
  });

  test('names the required members of an empty object', async () => {
    expectRefusal(await init({}), 400, 'INVALID_FIELDS', ['orderId', 'amount']);
  });

  test('refuses prices that disagree', async () => {
    for (const [priceInCents, price] of [
      [1999, 20],
      [0, 0.01],
      [1, 1],
    ]) {
      const body = order({ items: [item(), item({ priceInCents, price })] });
      expectRefusal(await init(body), 400, 'INVALID_FIELDS', ['items[1].priceInCents']);
    }
  });

  test('refuses numbers beyond the range of a double', async () => {
    const faulty = [{ quantity: '@' }, { priceInCents: '@' }, { priceInCents: undefined, price: '@' }];
    const items = faulty.map(item);
    const text = JSON.stringify(order({ amount: '@', items })).replaceAll('"@"', '1e400');
    expectRefusal(await callRaw(endpoint, caller, 'init', text), 400, 'INVALID_FIELDS', [
      'amount',
      'items[0].quantity',
      'items[1].priceInCents',
      'items[2].price',
    ]);
  });

  test('states the largest integer that an item id may be', async () => {
    const answer = await init(order({ items: [item({ id: Number.MAX_SAFE_INTEGER + 1 })] }));
    expectRefusal(answer, 400, 'INVALID_FIELDS', ['items[0].id']);
    expect(answer.body.error).toContain('an integer of at most 9007199254740991');
  });

  test('does not read members of __proto__', async () => {
    const text = JSON.stringify(order({ orderId: undefined })).replace('{', '{"__proto__":{"orderId":"X"},');
    expectRefusal(await callRaw(endpoint, caller, 'init', text), 400, 'INVALID_FIELDS', ['orderId']);
    expect(({} as Body).orderId).toBeUndefined();
  });

  test('names every fault of an order with as many items as allowed', async () => {
    const item = { id: null, name: 7, quantity: 0, price: -1, priceInCents: 0.5 };
    const { body } = await init(order({ orderId: 7, items: Array(200).fill(item) }));
    const members = Object.keys(item).flatMap((name) =>
      Array.from({ length: 200 }, (_, i) => `items[${i}].${name}`),
    );
    expect((body.error?.data ?? body).fields.toSorted()).toEqual(['orderId', ...members].toSorted());
  });

  test('answers thousands of faults briefly and names the members outside items', async () => {
    const members = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`n${i}`, 1]));
    const bad = order({ orderId: 7, storeUrl: 7 });
    for (const more of [{ items: Array(60_000).fill(1) }, { items: Array(20_000).fill({}) }, members]) {
      const { status, body } = await init({ ...bad, ...more });
      const refusal = body.error?.data ?? body;
      expect([status, refusal.code]).toEqual([400, 'INVALID_FIELDS']);
      expect(refusal.fields).toEqual(expect.arrayContaining(['orderId', 'storeUrl']));
      expect(JSON.stringify(refusal).length).toBeLessThan(32_768);
    }
  });
});
