import { afterAll, describe, expect, test } from 'vitest';
import { removeDomain } from '../../src/merchants/domains.ts';
import { rollKey } from '../../src/merchants/keys.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import type { InitInput } from '../../src/payments/contract.ts';
import { keepAnswer, replay } from '../../src/rpc/idempotency.ts';
import { type Answer, startService, type TestMerchant } from '../support/harness.ts';
import { selectRows } from '../support/rows.ts';
import { callerOf, callOperation, ENDPOINTS, type Endpoint, expectRefusal, order } from './endpoints.ts';

const WEEK_MS = 7 * 86_400_000;

const service = await startService({ whenOver: afterAll });
const { deps } = service.app;
const merchant = await service.merchant({ domains: ['shop.pt', 'loja.pt'] });

/** An order whose name is given by the alias. */
const ALIASED = { customer: { email: 'ana@shop.pt', phone: '912345678' }, customerName: 'Ana Silva' };
/** Another value of every member of the contract; EUR is the only currency. */
const OTHER_MEMBERS: Readonly<Record<Exclude<keyof InitInput, 'currency'>, unknown>> = {
  orderId: 'ORDER-2',
  amount: 20,
  customer: { email: 'rui@shop.pt', phone: '912345678' },
  customerName: 'Rui Costa',
  shippingAddress: { city: 'Porto' },
  items: [{ id: 'SKU-1', name: 'Mug', quantity: 2, priceInCents: 1999 }],
  storeUrl: 'https://loja.pt',
  trackingParameters: { src: 'mail' },
};

let keys = 0;
const newKey = () => `key-${++keys}`;

function initWith(
  endpoint: Endpoint,
  key: string,
  overrides: Record<string, unknown> = {},
  headers: Record<string, string> = {},
  seller: TestMerchant = merchant,
): Promise<Answer> {
  const caller = callerOf(service, seller, { 'idempotency-key': key, ...headers });
  return callOperation(endpoint, caller, 'init', order(overrides));
}

function expectFirst(answer: Answer): void {
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(answer.headers.get('idempotency-replayed')).toBeNull();
}

function expectReplay(answer: Answer, first: Answer): void {
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expect(answer.body).toEqual(first.body);
  expect(answer.headers.get('idempotency-replayed')).toBe('true');
}

describe.each(ENDPOINTS)('an Idempotency-Key through %s', (endpoint) => {
  const other: Endpoint = endpoint === 'REST' ? 'tRPC' : 'REST';

  test('repeats the first answer through REST and tRPC without a new transaction', async () => {
    const key = newKey();
    const orderId = `ONCE-${endpoint}`;
    const first = await initWith(endpoint, key, { orderId });
    expectFirst(first);
    expectReplay(await initWith(endpoint, key, { orderId }), first);
    expectReplay(await initWith(other, key, { orderId }), first);
    const rows = await selectRows(deps.db, 'transactions', { order_id: orderId });
    expect(rows).toHaveLength(1);
  });

  test('creates one transaction for concurrent calls through both endpoints', async () => {
    const key = newKey();
    const calls = Array.from({ length: 10 }, (_, index) => initWith(index % 2 === 0 ? endpoint : other, key));
    const answers = await Promise.all(calls);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.transactionId)).size).toBe(1);
    const replays = answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true');
    expect(replays).toHaveLength(answers.length - 1);
  });

  test('creates one transaction for two concurrent calls with different input', async () => {
    const key = newKey();
    const answers = await Promise.all([initWith(endpoint, key), initWith(other, key, { amount: 20 })]);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(1);
    for (const answer of refused) expectRefusal(answer, 400, 'IDEMPOTENCY_KEY_REUSED');
  });

  test.each<[string, Record<string, unknown>]>([
    ...Object.entries(OTHER_MEMBERS).map(([name, value]): [string, Record<string, unknown>] => [
      name,
      { ...ALIASED, [name]: value },
    ]),
    ['a member less', { ...ALIASED, customer: { email: 'ana@shop.pt' } }],
    ['storeUrl of its www host', { ...ALIASED, storeUrl: 'https://www.shop.pt' }],
  ])('is refused with other input: %s', async (_what, overrides) => {
    const key = newKey();
    const first = await initWith(endpoint, key, ALIASED);
    expectFirst(first);
    expectRefusal(await initWith(endpoint, key, overrides), 400, 'IDEMPOTENCY_KEY_REUSED');
    expectReplay(await initWith(endpoint, key, ALIASED), first);
  });

  test('ignores null, blank and unknown members and the order of members', async () => {
    const key = newKey();
    const first = await initWith(endpoint, key);
    expectFirst(first);
    const same = [
      { currency: null },
      { currency: '', shippingAddress: null, trackingParameters: ' ' },
      { colour: 'red' },
      { customerName: 'Ana Silva', customer: { email: 'ana@shop.pt', phone: '912345678' } },
      {
        customer: { zip: null, phone: '912345678', email: 'ana@shop.pt', name: 'Ana Silva', city: '' },
        items: [{ priceInCents: 1999, price: null, quantity: 1, name: 'Mug', id: 'SKU-1' }],
      },
    ];
    for (const overrides of same) expectReplay(await initWith(endpoint, key, overrides), first);
  });

  test('compares the storeUrl by its host, which may come from Origin', async () => {
    const key = newKey();
    const first = await initWith(endpoint, key, { storeUrl: 'https://shop.pt/checkout?step=1' });
    expectFirst(first);
    for (const storeUrl of ['http://shop.pt', 'HTTPS://SHOP.PT:8443/x#y', 'https://shop.pt./']) {
      expectReplay(await initWith(endpoint, key, { storeUrl }), first);
    }
    const origin = { origin: 'https://shop.pt' };
    expectReplay(await initWith(endpoint, key, { storeUrl: undefined }, origin), first);
  });

  test('stores only a 200: a key is free after a refusal', async () => {
    const key = newKey();
    expectRefusal(await initWith(endpoint, key, { amount: 0 }), 400, 'INVALID_FIELDS', ['amount']);
    expectRefusal(await initWith(endpoint, key, { storeUrl: 'https://other.pt' }), 403, 'DOMAIN_NOT_ALLOWED');
    expectRefusal(await initWith(endpoint, key, { items: [] }), 400, 'CHECKOUT_DATA_REQUIRED', ['items']);
    expectFirst(await initWith(endpoint, key));
  });

  test('is replayed only after the key, account, domain and body are checked', async () => {
    const seller = await service.merchant({ domains: ['shop.pt', 'loja.pt'] });
    const key = newKey();
    const again = (overrides = {}) => initWith(endpoint, key, overrides, {}, seller);
    const first = await again();
    expectFirst(first);
    expectRefusal(await again({ amount: '19.99' }), 400, 'INVALID_FIELDS', ['amount']);
    await setMerchant(deps, seller.merchantId, { active: false });
    expectRefusal(await again(), 403, 'ACCOUNT_INACTIVE');
    await setMerchant(deps, seller.merchantId, { active: true });
    expectReplay(await again(), first);
    const { apiKey } = await rollKey(deps, seller.merchantId, { graceHours: 0 });
    expectRefusal(await again(), 401, 'UNAUTHORIZED');
    seller.apiKey = apiKey;
    expectReplay(await again(), first);
    await removeDomain(deps, seller.merchantId, 'shop.pt');
    expectRefusal(await again(), 403, 'DOMAIN_NOT_ALLOWED');
  });

  test('is free again after 7 days', async () => {
    const key = newKey();
    const first = await initWith(endpoint, key);
    const age = (ms: number) =>
      deps.db.unit((tx) =>
        tx
          .updateTable('idempotency')
          .set((eb) => ({ created_at: eb('created_at', '-', ms) }))
          .where('merchant_id', '=', merchant.merchantId)
          .where('key', '=', key)
          .execute(),
      );
    await age(WEEK_MS - 60_000);
    expectReplay(await initWith(endpoint, key), first);
    await age(61_000);
    const later = await initWith(endpoint, key, { amount: 20 });
    expectFirst(later);
    expectReplay(await initWith(endpoint, key, { amount: 20 }), later);
  });

  test.each([
    ['one character', 'x'],
    ['255 characters', 'x'.repeat(255)],
    ['punctuation and an inner space', '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|} ~'],
  ])('may be %s', async (_what, key) => {
    const seller = await service.merchant();
    const first = await initWith(endpoint, key, {}, {}, seller);
    expectFirst(first);
    expectReplay(await initWith(endpoint, key, {}, {}, seller), first);
  });

  test.each([
    ['empty', ''],
    ['256 characters', 'x'.repeat(256)],
    ['an accent', 'ção'],
    ['a tabulator', 'a\tb'],
  ])('is refused when it is %s, together with other faults', async (_what, key) => {
    expectRefusal(await initWith(endpoint, key), 400, 'INVALID_FIELDS', ['Idempotency-Key']);
    const faults = { amount: 0, items: [{}] };
    expectRefusal(await initWith(endpoint, key, faults), 400, 'INVALID_FIELDS', [
      'Idempotency-Key',
      'amount',
      'items[0].id',
      'items[0].name',
      'items[0].quantity',
      'items[0].priceInCents',
    ]);
  });
});

/** Digests that stored answers carry for 7 days, by calls that an earlier version answered. */
const STORED: readonly [call: string, overrides: Record<string, unknown>, digest: string][] = [
  ['a complete order', {}, '2587156f855a59503289860f48a047aa05aa84977351bb3f5439f21658c59280'],
  [
    'an order without optional members',
    { customer: undefined, items: undefined },
    '28c1698f4491a482fbf793037558a0920564c418f9f91ad6a21fbe3a7029407d',
  ],
];

test.each(STORED)('%s is answered from what an earlier version stored', async (_call, overrides, digest) => {
  const key = newKey();
  const stored = { transactionId: 'tx_01kaj2x4d0a6e9hpt2vq7mznjs', amount: 19.99, currency: 'EUR' };
  await deps.db.unit((tx) => keepAnswer(tx, deps, merchant.merchantId, key, digest, stored));
  const answer = await initWith('REST', key, overrides);
  expect([answer.status, answer.body]).toEqual([200, stored]);
  expect(answer.headers.get('idempotency-replayed')).toBe('true');
});

test('without the header every call creates a transaction', async () => {
  const ids = await Promise.all([merchant.init(), merchant.init(), merchant.init()]);
  expect(new Set(ids).size).toBe(3);
});

test('an answer whose transaction was rolled back is not kept', async () => {
  const key = newKey();
  const rolledBack = deps.db.unit(async (tx) => {
    await keepAnswer(tx, deps, merchant.merchantId, key, 'fingerprint', {});
    throw new Error('later');
  });
  await expect(rolledBack).rejects.toThrow('later');
  expect(await deps.db.unit((tx) => replay(tx, deps, merchant.merchantId, key, 'fingerprint'))).toBeNull();
});
