import { afterAll, describe, expect, test } from 'vitest';
import { startService, type TestMerchant } from '../support/harness.ts';
import { callerOf, callOperation, ENDPOINTS, expectRefusal, item, order } from './endpoints.ts';

const service = await startService({ whenOver: afterAll });
const lenient = await startService({
  whenOver: afterAll,
  env: { SERVICE_REQUIRE_CHECKOUT_DATA: 'false' },
});

const NOTHING = { customer: undefined, items: undefined };

describe.each(ENDPOINTS)('checkout data through %s', (endpoint) => {
  const init = (merchant: TestMerchant, overrides: Record<string, unknown>, where = service) =>
    callOperation(endpoint, callerOf(where, merchant), 'init', order(overrides));

  test.each<[string, Record<string, unknown>, string[]]>([
    ['nothing', NOTHING, ['customer.name', 'customer.email', 'items']],
    ['an empty customer', { customer: {} }, ['customer.name', 'customer.email']],
    ['a null customer', { customer: null }, ['customer.name', 'customer.email']],
    ['a blank name', { customer: { name: ' ', email: 'ana@shop.pt' } }, ['customer.name']],
    ['no e-mail', { customer: { name: 'Ana', phone: '912345678' } }, ['customer.email']],
    ['an empty list of items', { items: [] }, ['items']],
    ['null items', { items: null }, ['items']],
    ['blank items', { items: '' }, ['items']],
    ['a name alone', { customer: { name: 'Ana' }, items: undefined }, ['customer.email', 'items']],
    ['an alias name alone', { ...NOTHING, customerName: 'Ana' }, ['customer.email', 'items']],
    ['an e-mail alone', { customer: { email: 'ana@shop.pt' }, items: [] }, ['customer.name', 'items']],
  ])('is required until the first paid transaction: %s', async (_what, overrides, fields) => {
    const answer = await init(await service.merchant(), overrides);
    expectRefusal(answer, 400, 'CHECKOUT_DATA_REQUIRED', fields);
  });

  test('is complete with name, e-mail and one item, the name also by its alias', async () => {
    const complete = { customerName: 'Ana', customer: { email: 'ana@shop.pt' }, items: [item()] };
    expect((await init(await service.merchant(), complete)).status).toBe(200);
  });

  test('is optional after a paid transaction, for that merchant only', async () => {
    const [seller, other] = [await service.merchant(), await service.merchant()];
    await seller.payReference();
    expect((await init(seller, NOTHING)).status).toBe(200);
    expectRefusal(await init(other, NOTHING), 400, 'CHECKOUT_DATA_REQUIRED', [
      'customer.name',
      'customer.email',
      'items',
    ]);
  });

  test('is optional but still validated when the operator does not require it', async () => {
    const merchant = await lenient.merchant();
    for (const overrides of [NOTHING, { customer: {}, items: [] }, { customer: null, items: null }]) {
      expect((await init(merchant, overrides, lenient)).status).toBe(200);
    }
    const answer = await init(merchant, { customer: { email: 'x' }, items: ['x'] }, lenient);
    expectRefusal(answer, 400, 'INVALID_FIELDS', ['customer.email', 'items[0]']);
  });
});
