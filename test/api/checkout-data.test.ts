import { afterAll, describe, expect, test } from 'vitest';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { releaseTransaction } from '../../src/payments/release.ts';
import { type Service, startService, type TestMerchant } from '../support/harness.ts';
import { until } from '../support/until.ts';
import { callerOf, callOperation, ENDPOINTS, expectRefusal, item, order } from './endpoints.ts';

const service = await startService({ whenOver: afterAll });
const lenient = await startService({
  whenOver: afterAll,
  env: { SERVICE_REQUIRE_CHECKOUT_DATA: 'false' },
});

const NOTHING = { customer: undefined, items: undefined };

/** Creates a transaction and pays its reference; resolves to its id. */
async function pay(where: Service, merchant: TestMerchant): Promise<string> {
  const transactionId = await merchant.init();
  const { body } = await merchant.post('/payments/multibanco', { transactionId });
  const paid = await where.control('/multibanco', { entity: body.entity, reference: body.reference });
  expect(paid.status).toBe(200);
  return transactionId;
}

describe.each(ENDPOINTS)('checkout data through %s', (endpoint) => {
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
    const merchant = await service.merchant();
    const answer = await callOperation(endpoint, callerOf(service, merchant), 'init', order(overrides));
    expectRefusal(answer, 400, 'CHECKOUT_DATA_REQUIRED', fields);
  });

  test('is complete with name, e-mail and one item, the name also by its alias', async () => {
    const caller = callerOf(service, await service.merchant());
    const customer = { email: 'ana@shop.pt' };
    const answer = await callOperation(
      endpoint,
      caller,
      'init',
      order({ customerName: 'Ana', customer, items: [item()] }),
    );
    expect(answer.status).toBe(200);
  });

  test('is optional after a paid transaction, for that merchant only', async () => {
    const [seller, other] = [await service.merchant(), await service.merchant()];
    await seller.reaches(await pay(service, seller), 'paid');
    expect((await callOperation(endpoint, callerOf(service, seller), 'init', order(NOTHING))).status).toBe(
      200,
    );
    const refused = await callOperation(endpoint, callerOf(service, other), 'init', order(NOTHING));
    expectRefusal(refused, 400, 'CHECKOUT_DATA_REQUIRED', ['customer.name', 'customer.email', 'items']);
  });

  test('is optional but still validated when the operator does not require it', async () => {
    const caller = callerOf(lenient, await lenient.merchant());
    for (const overrides of [NOTHING, { customer: {}, items: [] }, { customer: null, items: null }]) {
      expect((await callOperation(endpoint, caller, 'init', order(overrides))).status).toBe(200);
    }
    const answer = await callOperation(
      endpoint,
      caller,
      'init',
      order({ customer: { email: 'x' }, items: ['x'] }),
    );
    expectRefusal(answer, 400, 'INVALID_FIELDS', ['customer.email', 'items[0]']);
  });
});

test('checkout data is required while sales are held, and optional after their release', async () => {
  const merchant = await service.merchant();
  const { deps } = service.app;
  await setMerchant(deps, merchant.merchantId, { hold: true });
  const transactionId = (await pay(service, merchant)) as `tx_${string}`;
  await until(async () => {
    const row = await deps.db.read
      .selectFrom('transactions')
      .select('held')
      .where('id', '=', transactionId)
      .executeTakeFirstOrThrow();
    return Number(row.held) === 1;
  }, 'the sale to be held');

  expect((await merchant.status(transactionId)).status).toBe('pending');
  const refused = await merchant.post('/payments/init', order(NOTHING));
  expectRefusal(refused, 400, 'CHECKOUT_DATA_REQUIRED', ['customer.name', 'customer.email', 'items']);

  await releaseTransaction(deps, transactionId);
  expect((await merchant.post('/payments/init', order(NOTHING))).status).toBe(200);
});
