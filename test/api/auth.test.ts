import { afterAll, describe, expect, test } from 'vitest';
import { rollKey } from '../../src/merchants/roll-key.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { call, startService } from '../support/harness.ts';
import { until } from '../support/until.ts';
import { callerOf, callOperation, ENDPOINTS, expectRefusal, type Operation, order } from './endpoints.ts';

const HOUR_MS = 3_600_000;

const service = await startService({ whenOver: afterAll });
const { deps } = service.app;
const merchant = await service.merchant();

const OPERATIONS: Operation[] = ['init', 'mbway', 'multibanco', 'status', 'methods'];

/** An input that is in order for the operation, though its transaction may not exist. */
function inputOf(operation: Operation): unknown {
  const transactionId = 'tx_unknown';
  if (operation === 'init') return order();
  if (operation === 'mbway') return { transactionId, phoneNumber: '912345678' };
  return operation === 'methods' ? undefined : { transactionId };
}

describe.each(ENDPOINTS)('the key through %s', (endpoint) => {
  const withHeader = (operation: Operation, authorization: string | undefined) =>
    callOperation(
      endpoint,
      { url: service.url, headers: authorization === undefined ? {} : { authorization } },
      operation,
      inputOf(operation),
    );

  test.each(OPERATIONS)('is needed for %s', async (operation) => {
    expectRefusal(await withHeader(operation, undefined), 401, 'UNAUTHORIZED');
    expectRefusal(await withHeader(operation, 'Bearer sk_unknown'), 401, 'UNAUTHORIZED');
  });

  test.each([
    ['an empty header', ''],
    ['the scheme alone', 'Bearer'],
    ['the scheme and a space', 'Bearer '],
    ['no scheme', merchant.apiKey],
    ['another scheme', `Basic ${merchant.apiKey}`],
    ['basic credentials', `Basic ${Buffer.from(`${merchant.apiKey}:`).toString('base64')}`],
    ['a scheme that only begins so', `Bearer2 ${merchant.apiKey}`],
    ['no space', `Bearer${merchant.apiKey}`],
    ['a key cut short', `Bearer ${merchant.apiKey.slice(0, -1)}`],
    ['a key with more behind it', `Bearer ${merchant.apiKey}x`],
    ['two keys', `Bearer ${merchant.apiKey} ${merchant.apiKey}`],
    ['a key in capitals', `Bearer ${merchant.apiKey.toUpperCase()}`],
    ['the webhook secret', `Bearer ${merchant.webhookSecret}`],
    ['the merchant id', `Bearer ${merchant.merchantId}`],
    ['a key of 8 kB', `Bearer sk_${'x'.repeat(8000)}`],
    ['accents', 'Bearer ção'],
  ])('is not accepted as %s', async (_what, authorization) => {
    expectRefusal(await withHeader('methods', authorization), 401, 'UNAUTHORIZED');
  });

  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('is accepted after the scheme %s', async (scheme) => {
    expect((await withHeader('methods', `${scheme} ${merchant.apiKey}`)).status).toBe(200);
    expect((await withHeader('init', `${scheme} ${merchant.apiKey}`)).status).toBe(200);
  });

  test('ends at once when it is rolled without grace', async () => {
    const seller = await service.merchant();
    const old = callerOf(service, seller);
    expect((await callOperation(endpoint, old, 'methods')).status).toBe(200);
    const { apiKey } = await rollKey(deps, seller.merchantId, { graceHours: 0 });
    expectRefusal(await callOperation(endpoint, old, 'methods'), 401, 'UNAUTHORIZED');
    expect((await callOperation(endpoint, callerOf(service, { apiKey }), 'methods')).status).toBe(200);
  });

  test('works with the new one during the grace, and ends with it', async () => {
    const seller = await service.merchant();
    const old = callerOf(service, seller);
    const graced = await rollKey(deps, seller.merchantId, { graceHours: 1 });
    expect((await callOperation(endpoint, old, 'methods')).status).toBe(200);
    expect((await callOperation(endpoint, callerOf(service, graced), 'methods')).status).toBe(200);

    const brief = await service.merchant();
    const { apiKey } = await rollKey(deps, brief.merchantId, { graceHours: 300 / HOUR_MS });
    const ended = await until(async () => {
      const answer = await callOperation(endpoint, callerOf(service, brief), 'methods');
      return answer.status === 200 ? null : answer;
    }, 'the end of the grace');
    expectRefusal(ended, 401, 'UNAUTHORIZED');
    expect((await callOperation(endpoint, callerOf(service, { apiKey }), 'methods')).status).toBe(200);
  });

  test('of an inactive account opens nothing, until the account is active again', async () => {
    const seller = await service.merchant();
    const caller = callerOf(service, seller);
    await setMerchant(deps, seller.merchantId, { active: false });
    for (const operation of OPERATIONS) {
      const answer = await callOperation(endpoint, caller, operation, inputOf(operation));
      expectRefusal(answer, 403, 'ACCOUNT_INACTIVE');
    }
    await setMerchant(deps, seller.merchantId, { active: true });
    expect((await callOperation(endpoint, caller, 'init', order())).status).toBe(200);
  });
});

test('a key is never taken from the query or from the body', async () => {
  const path = `${service.url}/api/v1/payments/methods`;
  for (const name of ['key', 'apiKey', 'access_token', 'authorization']) {
    expectRefusal(await call(`${path}?${name}=${merchant.apiKey}`, {}), 401, 'UNAUTHORIZED');
  }
});

test("a deactivated merchant's pending payment still becomes paid, with its event", async () => {
  const seller = await service.merchant();
  const transactionId = (await seller.init()) as `tx_${string}`;
  const { body } = await seller.post('/payments/multibanco', { transactionId });
  await setMerchant(deps, seller.merchantId, { active: false });
  expectRefusal(await seller.get(`/payments/status?transactionId=${transactionId}`), 403, 'ACCOUNT_INACTIVE');

  await service.control('/multibanco', { entity: body.entity, reference: body.reference });
  await until(async () => {
    const row = await deps.db.read
      .selectFrom('transactions')
      .select('status')
      .where('id', '=', transactionId)
      .executeTakeFirstOrThrow();
    return row.status === 'paid';
  }, 'the payment to be recorded');
  const rows = await deps.db.read
    .selectFrom('events')
    .innerJoin('deliveries', 'deliveries.event_id', 'events.id')
    .select(['events.kind', 'events.body'])
    .where('events.transaction_id', '=', transactionId)
    .execute();
  expect(rows.map(({ kind }) => kind)).toEqual(['payment.success']);
  expect(JSON.parse(rows[0]?.body ?? '{}').data).toMatchObject({ id: transactionId, status: 'paid' });

  await setMerchant(deps, seller.merchantId, { active: true });
  expect((await seller.status(transactionId)).status).toBe('paid');
});
