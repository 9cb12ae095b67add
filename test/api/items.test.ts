import { afterAll, describe, expect, test } from 'vitest';
import { startService } from '../support/harness.ts';
import { callerOf, callRaw, ENDPOINTS, expectRefusal, initThrough, item, order } from './endpoints.ts';

const service = await startService({ whenOver: afterAll });
const merchant = await service.merchant();
const caller = callerOf(service, merchant);

describe.each(ENDPOINTS)('the items of an init through %s', (endpoint) => {
  const through = initThrough(endpoint, caller);
  const accepts = async (items: unknown) => itemsOf(await through.accepts({ items }));
  const refuses = (items: unknown, fields: string[]) => through.refuses({ items }, fields);

  test.each([['x'], [7], [true], [{}], [{ 0: item() }]])('refuses %j, which is no list', (items) =>
    refuses(items, ['items']),
  );

  test('admits 200 and refuses 201', async () => {
    expect(await accepts(Array.from({ length: 200 }, () => item()))).toHaveLength(200);
    await refuses(
      Array.from({ length: 201 }, () => item()),
      ['items'],
    );
  });

  test.each([['x'], [''], [7], [null], [true], [[]]])('names the whole item for %j', async (faulty) => {
    await refuses([faulty], ['items[0]']);
    await refuses([item(), item(), faulty], ['items[2]']);
  });

  test.each([['SKU'], [7], [0], [-5]])('keeps the id %j as text', async (id) => {
    expect(await accepts([item({ id })])).toEqual([expect.objectContaining({ id: String(id) })]);
  });

  test.each([[undefined], [null], [''], [' '], [1.5], [true], [[]], [{}], ['x'.repeat(501)]])(
    'refuses the id %j',
    (id) => refuses([item({ id })], ['items[0].id']),
  );

  test.each([[undefined], [null], [''], [' '], [7], [true], [[]], [{}], ['x'.repeat(501)]])(
    'refuses the name %j',
    (name) => refuses([item({ name })], ['items[0].name']),
  );

  test('admits names and ids of 500 characters', () =>
    accepts([item({ id: 'x'.repeat(500), name: '\u{1F9E1}'.repeat(500) })]));

  test.each([[undefined], [null], [''], [0], [-1], [1.5], ['1'], [true], [[1]], [{}]])(
    'refuses the quantity %j',
    (quantity) => refuses([item({ quantity })], ['items[0].quantity']),
  );

  test('refuses a quantity and prices beyond all numbers', async () => {
    const text = JSON.stringify(
      order({ items: [item({ quantity: '@' }), item({ priceInCents: '@' }), { ...bare(), price: '@' }] }),
    ).replaceAll('"@"', '1e400');
    expectRefusal(await callRaw(endpoint, caller, 'init', text), 400, 'INVALID_FIELDS', [
      'items[0].quantity',
      'items[1].priceInCents',
      'items[2].price',
    ]);
  });

  test.each([[undefined], [null], [''], [-1], [1.5], ['1999'], [true], [[1]], [{}]])(
    'refuses the priceInCents %j without a price',
    (priceInCents) => refuses([item({ priceInCents })], ['items[0].priceInCents']),
  );

  test.each([[-1], [-0.01], [0.001], [19.999], ['19.99'], [true], [[1]], [{}]])(
    'refuses the price %j',
    (price) => refuses([{ ...bare(), price }], ['items[0].price']),
  );

  test('takes a price of nothing, in either unit', async () => {
    await accepts([item({ priceInCents: 0 }), { ...bare(), price: 0 }]);
  });

  test('takes either unit, or both when they agree, or one with the other blank', async () => {
    await accepts([{ ...bare(), price: 19.99 }]);
    await accepts([item({ price: 19.99 })]);
    await accepts([item({ price: null }), item({ price: '' })]);
    await accepts([item({ priceInCents: null, price: 0.29 }), item({ priceInCents: '', price: 4.35 })]);
  });

  test('refuses prices that disagree', async () => {
    await refuses([item({ price: 20 })], ['items[0].priceInCents']);
    await refuses([item(), item({ priceInCents: 0, price: 0.01 })], ['items[1].priceInCents']);
    await refuses([item({ priceInCents: 1, price: 1 })], ['items[0].priceInCents']);
  });

  test('never sums the items against the amount', async () => {
    await accepts([item({ quantity: 1000, priceInCents: 99_999_999 })]);
    await accepts([item({ priceInCents: 1 })]);
  });
});

function bare(): Record<string, unknown> {
  return item({ priceInCents: undefined });
}

async function itemsOf(transactionId: `tx_${string}`): Promise<unknown[]> {
  const row = await service.app.deps.db.read
    .selectFrom('transactions')
    .select('items')
    .where('id', '=', transactionId)
    .executeTakeFirstOrThrow();
  return JSON.parse(row.items ?? 'null');
}
