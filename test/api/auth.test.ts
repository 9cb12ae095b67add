import { afterAll, describe, expect, test } from 'vitest';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { call, startWithMerchant } from '../support/harness.ts';
import { selectRow, selectRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { callOperation, ENDPOINTS, expectRefusal } from './endpoints.ts';

const { service, deps, merchant } = await startWithMerchant({ whenOver: afterAll });

describe.each(ENDPOINTS)('an API key through %s', (endpoint) => {
  const withHeader = (authorization: string) =>
    callOperation(endpoint, { url: service.url, headers: { authorization } }, 'methods');

  test.each([
    ['an empty header', ''],
    ['the scheme alone', 'Bearer'],
    ['no scheme', merchant.apiKey],
    ['basic credentials', `Basic ${Buffer.from(`${merchant.apiKey}:`).toString('base64')}`],
    ['a longer scheme', `Bearer2 ${merchant.apiKey}`],
    ['no space', `Bearer${merchant.apiKey}`],
    ['a key cut short', `Bearer ${merchant.apiKey.slice(0, -1)}`],
    ['a longer key', `Bearer ${merchant.apiKey}x`],
    ['a key in capitals', `Bearer ${merchant.apiKey.toUpperCase()}`],
    ['the webhook secret', `Bearer ${merchant.webhookSecret}`],
    ['the merchant id', `Bearer ${merchant.merchantId}`],
    ['a key of 8 kB', `Bearer sk_${'x'.repeat(8000)}`],
  ])('is not accepted as %s', async (_what, authorization) => {
    expectRefusal(await withHeader(authorization), 401, 'UNAUTHORIZED');
  });

  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('is accepted after the scheme %s', async (scheme) => {
    expect((await withHeader(`${scheme} ${merchant.apiKey}`)).status).toBe(200);
  });
});

test('a key in the query is ignored', async () => {
  const path = `${service.url}/api/v1/payments/methods`;
  for (const name of ['key', 'apiKey', 'access_token', 'authorization']) {
    expectRefusal(await call(`${path}?${name}=${merchant.apiKey}`, {}), 401, 'UNAUTHORIZED');
  }
});

test("a deactivated merchant's pending payment still becomes paid, with its event", async () => {
  const seller = await service.merchant();
  const { id: transactionId, mb } = await seller.reference();
  await setMerchant(deps, seller.merchantId, { active: false });
  expectRefusal(await seller.get(`/payments/status?transactionId=${transactionId}`), 403, 'ACCOUNT_INACTIVE');

  await service.control('/multibanco', mb);
  const isPaid = async () =>
    (await selectRow(deps.db, 'transactions', { id: transactionId })).status === 'paid';
  await until(isPaid, 'the payment to be recorded');
  const of = { transaction_id: transactionId };
  expect(await selectRows(deps.db, 'events', of)).toMatchObject([{ kind: 'payment.success' }]);
  const { id, body } = await selectRow(deps.db, 'events', of);
  expect(await selectRows(deps.db, 'deliveries', of)).toMatchObject([{ event_id: id }]);
  expect(JSON.parse(body).data).toMatchObject({ id: transactionId, status: 'paid' });

  await setMerchant(deps, seller.merchantId, { active: true });
  expect((await seller.status(transactionId)).status).toBe('paid');
});
