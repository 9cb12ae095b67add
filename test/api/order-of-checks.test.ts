import { afterAll, describe, expect, test } from 'vitest';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { type Service, startService } from '../support/harness.ts';
import { callerOf, callOperation, callRaw, ENDPOINTS, expectRefusal, order } from './endpoints.ts';

const service = await startService({ whenOver: afterAll });
// Each test of the rate limit uses its own client address.
const limited = await startService({
  whenOver: afterAll,
  env: { SERVICE_POST_RATE_LIMIT: '1', SERVICE_TRUST_PROXY: '1' },
});
const merchant = await service.merchant();

const FAULTY = { orderId: 7, amount: '1', storeUrl: 'https://other.pt' };

async function inactiveMerchant(where: Service) {
  const made = await where.merchant();
  await setMerchant(where.app.deps, made.merchantId, { active: false });
  return made;
}

describe.each(ENDPOINTS)('through %s', (endpoint) => {
  const stranger = { url: service.url, apiKey: 'sk_unknown' };

  test('the rate limit comes before the key and the body', async () => {
    const headers = { 'x-forwarded-for': endpoint === 'REST' ? '203.0.113.1' : '203.0.113.2' };
    const caller = { url: limited.url, apiKey: 'sk_unknown', headers };
    expectRefusal(await callOperation(endpoint, caller, 'init', FAULTY), 401, 'UNAUTHORIZED');
    expectRefusal(await callOperation(endpoint, caller, 'init', FAULTY), 429, 'RATE_LIMITED');
    expectRefusal(await callRaw(endpoint, caller, 'init', '{'), 429, 'RATE_LIMITED');
  });

  test('the key comes before the body', async () => {
    expectRefusal(await callOperation(endpoint, stranger, 'init', FAULTY), 401, 'UNAUTHORIZED');
    expectRefusal(await callOperation(endpoint, stranger, 'mbway', {}), 401, 'UNAUTHORIZED');
    expectRefusal(await callOperation(endpoint, stranger, 'status', {}), 401, 'UNAUTHORIZED');
    expectRefusal(await callOperation(endpoint, stranger, 'init'), 401, 'UNAUTHORIZED');
    expectRefusal(await callRaw(endpoint, stranger, 'init', '{'), 401, 'UNAUTHORIZED');
    expectRefusal(await callRaw(endpoint, stranger, 'init', '{}', 'text/plain'), 401, 'UNAUTHORIZED');
  });

  test('the account comes before the body', async () => {
    const caller = callerOf(service, await inactiveMerchant(service), { 'idempotency-key': 'é' });
    expectRefusal(await callOperation(endpoint, caller, 'init', FAULTY), 403, 'ACCOUNT_INACTIVE');
    expectRefusal(await callOperation(endpoint, caller, 'multibanco', {}), 403, 'ACCOUNT_INACTIVE');
    expectRefusal(await callOperation(endpoint, caller, 'status', {}), 403, 'ACCOUNT_INACTIVE');
    expectRefusal(await callRaw(endpoint, caller, 'init', '['), 403, 'ACCOUNT_INACTIVE');
  });

  test('the body comes before the store domain', async () => {
    const caller = callerOf(service, merchant);
    const fields = ['orderId', 'amount'];
    expectRefusal(await callOperation(endpoint, caller, 'init', FAULTY), 400, 'INVALID_FIELDS', fields);
    const without = { orderId: 7, amount: '1' };
    expectRefusal(await callOperation(endpoint, caller, 'init', without), 400, 'INVALID_FIELDS', fields);
  });

  test('the store domain comes before the checkout data', async () => {
    const caller = callerOf(service, merchant);
    const bare = { customer: undefined, items: undefined };
    const unregistered = order({ ...bare, storeUrl: 'https://other.pt' });
    expectRefusal(await callOperation(endpoint, caller, 'init', unregistered), 403, 'DOMAIN_NOT_ALLOWED');
    const none = order({ ...bare, storeUrl: undefined });
    expectRefusal(await callOperation(endpoint, caller, 'init', none), 400, 'STORE_DOMAIN_REQUIRED', [
      'storeUrl',
    ]);
  });

  test('the body of a step comes before the transaction', async () => {
    const caller = callerOf(service, merchant);
    const unknown = { transactionId: 'tx_unknown', phoneNumber: '12' };
    expectRefusal(await callOperation(endpoint, caller, 'mbway', unknown), 400, 'INVALID_FIELDS', [
      'phoneNumber',
    ]);
  });

  test('the transaction and its state come before the limit of the method', async () => {
    const caller = callerOf(service, merchant);
    const other = await service.merchant();
    const foreign = { transactionId: await other.init({ amount: 5000.01 }), phoneNumber: '912000001' };
    expectRefusal(await callOperation(endpoint, caller, 'mbway', foreign), 404, 'TRANSACTION_NOT_FOUND');

    const transactionId = await merchant.payReference({ amount: 5000.01 });
    const paid = { transactionId, phoneNumber: '912000001' };
    expectRefusal(await callOperation(endpoint, caller, 'mbway', paid), 400, 'TRANSACTION_NOT_PENDING');
  });
});

test('the rate limit comes before the route, and the route before the key, the account and the body', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.3' };
  const lost = await limited.merchant();
  expectRefusal(await lost.post('/payments/refund', '{', headers), 404, 'NOT_FOUND');
  expectRefusal(await lost.post('/payments/refund', '{', headers), 429, 'RATE_LIMITED');

  const inactive = await inactiveMerchant(service);
  expectRefusal(await inactive.post('/payments/refund', '{'), 404, 'NOT_FOUND');
  expectRefusal(await inactive.post('/payments/status', {}), 404, 'NOT_FOUND');
  const response = await fetch(`${service.url}/api/v1/payments/refund`);
  expect(response.status).toBe(404);
});
