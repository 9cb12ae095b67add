import { afterAll, describe, expect, test } from 'vitest';
import { ORDER, startService } from '../support/harness.ts';
import { type Caller, callerOf, callOperation, ENDPOINTS, expectRefusal, order } from './endpoints.ts';
import {
  authorizations,
  dataOf,
  type KeyState,
  rawCaller,
  requestBytes,
  TRANSACTION_OPERATIONS,
  UNKNOWN_ID,
} from './tenancy-kit.ts';

const service = await startService({ whenOver: afterAll });
const owner = await service.merchant({ domains: ['shop.pt', 'owners-own.pt'], name: 'Loja da Briolanja' });
const data = await dataOf(service, owner);
const keys = await authorizations(service);
const send = rawCaller(service, afterAll);
const stranger = await service.merchant();

const STATUS_OF: Record<KeyState, number> = {
  none: 401,
  malformed: 401,
  unknown: 401,
  revoked: 401,
  'expired grace': 401,
  inactive: 403,
  'live grace': 404,
  valid: 404,
};
const CODE_OF: Record<number, string> = {
  401: 'UNAUTHORIZED',
  403: 'ACCOUNT_INACTIVE',
  404: 'TRANSACTION_NOT_FOUND',
};
const KEY_STATES = Object.keys(STATUS_OF) as KeyState[];

const MALFORMED = [
  'tx_',
  'tx_%',
  "tx_' or 1=1 --",
  'tx_\u0000',
  'null',
  '\u{1F9E1}',
  'tx_'.padEnd(5000, 'x'),
];

describe.each(ENDPOINTS)('through %s', (endpoint) => {
  const init = (caller: Caller, body: unknown) => callOperation(endpoint, caller, 'init', body);

  describe.each(TRANSACTION_OPERATIONS)('the answer of %s', (operation) => {
    test.each(KEY_STATES)(
      'with a key that is %s is byte for byte the same for another merchant’s id as for an unknown one',
      async (state) => {
        const ask = (id: string) => send(requestBytes(endpoint, operation, id, keys[state]));
        const unknown = await ask(UNKNOWN_ID);
        expect(unknown).toMatch(new RegExp(`^HTTP/1\\.1 ${STATUS_OF[state]} `));
        expect(unknown).toContain(`"code":"${CODE_OF[STATUS_OF[state]]}"`);
        const foreign = Object.entries(data);
        for (const [what, id] of foreign) expect([what, await ask(id)]).toEqual([what, unknown]);
        for (const [what, id] of foreign.filter(([, { length }]) => length === UNKNOWN_ID.length)) {
          for (const near of [id.toUpperCase(), `${id} `, `${id}\u0000`, `${id.slice(0, 20)}%`])
            expect([what, near, await ask(near)]).toEqual([what, near, unknown]);
        }
        for (const id of MALFORMED) expect([id, await ask(id)]).toEqual([id, unknown]);
      },
    );

    test('is the same for an unknown key and an ended key', async () => {
      const answers: string[] = [];
      for (const state of ['unknown', 'revoked', 'expired grace'] as const) {
        answers.push(await send(requestBytes(endpoint, operation, UNKNOWN_ID, keys[state])));
      }
      expect(new Set(answers).size).toBe(1);
    });
  });

  test.each(KEY_STATES)('init and methods accept only a valid key: %s', async (state) => {
    const authorization = keys[state];
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const wanted = STATUS_OF[state] === 404 ? 200 : STATUS_OF[state];
    const caller = { url: service.url, headers };
    const transactionId = data['a paid transaction'];
    const created = await init(caller, order({ transactionId, merchantId: owner.merchantId }));
    expect(created.status).toBe(wanted);
    expect((await callOperation(endpoint, caller, 'methods')).status).toBe(wanted);
    for (const value of Object.values(data)) expect(JSON.stringify(created.body)).not.toContain(value);
    if (wanted !== 200) return;
    // The transaction belongs to the caller, whatever ids the body has.
    const read = await callOperation(endpoint, callerOf(service, owner), 'status', created.body);
    expectRefusal(read, 404, 'TRANSACTION_NOT_FOUND');
  });

  test('the owner reads each of its transactions', async () => {
    const transactions = Object.values(data).filter((id) => id.startsWith('tx_'));
    expect(transactions).toHaveLength(7);
    for (const transactionId of transactions) {
      const answer = await callOperation(endpoint, callerOf(service, owner), 'status', { transactionId });
      expect([answer.status, answer.body.transactionId]).toEqual([200, transactionId]);
    }
  });

  test('an idempotency key is separate for each merchant', async () => {
    const orderId = `KEYED-${endpoint}`;
    const headers = { 'idempotency-key': orderId };
    const keyed = (merchant: { apiKey: string }, overrides: Record<string, unknown> = {}) =>
      init(callerOf(service, merchant, headers), order({ orderId, ...overrides }));
    const mine = await keyed(owner);
    for (const overrides of [{}, { amount: 5 }]) {
      const { status, headers, body } = await keyed(await service.merchant(), overrides);
      expect([status, headers.get('idempotency-replayed')]).toEqual([200, null]);
      expect(body.transactionId).not.toBe(mine.body.transactionId);
      expect(body.amount).toBe(overrides.amount ?? ORDER.amount);
    }
    expect((await keyed(owner)).headers.get('idempotency-replayed')).toBe('true');
  });

  test('a store domain of another merchant is refused like an unregistered one', async () => {
    const refusal = async (host: string) => {
      const answer = await init(callerOf(service, stranger), order({ storeUrl: `https://${host}` }));
      expectRefusal(answer, 403, 'DOMAIN_NOT_ALLOWED');
      return { ...answer.body, error: answer.body.error.replaceAll(host, 'HOST'), requestId: '' };
    };
    expect(await refusal('owners-own.pt')).toEqual(await refusal('unregistered.pt'));
  });

  test('another merchant’s sales, leads and pushes do not affect a new merchant', async () => {
    const newcomer = await service.merchant();
    const caller = callerOf(service, newcomer);
    // The owner has paid sales; the newcomer has not.
    const refused = await init(caller, order({ customer: undefined }));
    expectRefusal(refused, 400, 'CHECKOUT_DATA_REQUIRED', ['customer.name', 'customer.email']);
    const { body } = await init(caller, order());
    expect(Object.keys(body)).toEqual(['transactionId', 'amount', 'currency']);
    const step = { transactionId: body.transactionId, phoneNumber: '930000009' };
    expect((await callOperation(endpoint, caller, 'mbway', step)).status).toBe(200);
  });

  test('refused calls of another merchant change nothing', async () => {
    const before = await owner.status(data['a pending transaction'] ?? '');
    expect(before).toMatchObject({ status: 'pending', paymentMethod: null });
  });
});
