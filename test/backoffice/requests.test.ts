import { afterAll, expect, test } from 'vitest';
import { createKey } from '../../src/merchants/keys.ts';
import { api, ORDER, startService } from '../support/harness.ts';
import { until } from '../support/until.ts';
import { signedIn } from './support.ts';

const service = await startService({ whenOver: afterAll });

async function shop() {
  const merchant = await service.merchant();
  const { merchantId } = merchant;
  const viewer = await signedIn(service, { role: 'viewer', merchantId });
  const list = async (input: object = {}) =>
    (await viewer.query('requests.list', { merchantId, ...input })).value;
  /** The log once it has this many requests. */
  const logged = (count: number) =>
    until(async () => {
      const { rows } = await list({ limit: 100 });
      return rows.length === count ? rows : null;
    }, `${count} requests in the log`);
  return { merchant, merchantId, viewer, list, logged };
}

test('a request is in the log with its key, status, code and transaction, over REST and tRPC', async () => {
  const { merchant, merchantId, viewer, list, logged } = await shop();
  const { deps } = service.app;
  const erp = api(service.url, (await createKey(deps, merchantId, { name: 'ERP', expiresInDays: 1 })).apiKey);
  const init = await merchant.post('/payments/init', ORDER, { 'idempotency-key': 'order-1' });
  const { transactionId } = init.body;
  await erp.get(`/payments/status?transactionId=${transactionId}&email=ana@shop.pt`);
  await merchant.trpc.payments.status.query({ transactionId });
  await merchant.post('/payments/init', { ...ORDER, storeUrl: 'https://other.pt' });
  await merchant.get('/payments/status?transactionId=ana@shop.pt');
  await api(service.url, 'sk_wrong').get('/payments/methods');
  const rows = await logged(5);
  const common = { at: expect.any(Number), durationMs: expect.any(Number), skipped: 0 };
  const main = { keyName: null, idempotent: false, code: null, transactionId: null, status: 200 };
  const status = { method: 'GET', path: '/api/v1/payments/status' };
  const init1 = { method: 'POST', path: '/api/v1/payments/init' };
  expect(rows.toReversed()).toMatchObject([
    { ...common, ...main, ...init1, idempotent: true, transactionId },
    { ...common, ...main, ...status, keyName: 'ERP', transactionId },
    { ...common, ...main, method: 'GET', path: '/trpc/payments.status', transactionId },
    { ...common, ...main, ...init1, status: 403, code: 'DOMAIN_NOT_ALLOWED' },
    { ...common, ...main, ...status, status: expect.any(Number), code: expect.any(String) },
  ]);
  expect(Math.abs(rows[0].at - Date.now())).toBeLessThan(60_000);

  const failed = (await list({ failed: true })).rows;
  const count = async (input: object) =>
    (await viewer.query('requests.count', { merchantId, ...input })).value;
  expect(await count({})).toEqual({ count: 5, more: false });
  expect(await count({ failed: true })).toEqual({ count: failed.length, more: false });
  expect(failed.map((row: { requestId: string }) => row.requestId)).toEqual([
    rows[0].requestId,
    rows[1].requestId,
  ]);
  const first = await list({ limit: 2 });
  const second = await list({ limit: 100, cursor: first.nextCursor });
  expect([...first.rows, ...second.rows]).toEqual(rows);
  const stored = await deps.db.read.selectFrom('api_requests').selectAll().execute();
  // A random id can contain any of these.
  const withoutIds = JSON.stringify(stored).replaceAll(/_[\da-z]{26}/g, '');
  expect(withoutIds, 'no personal data and no key').not.toMatch(/ana|silva|912345|order-1|sk_/i);
});

test('a merchant sees its own requests only', async () => {
  const [one, other] = [await shop(), await shop()];
  await one.merchant.get('/payments/methods');
  await one.logged(1);
  expect((await other.list()).rows).toEqual([]);
});
