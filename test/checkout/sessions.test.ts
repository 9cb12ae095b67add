import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, describe, expect, test } from 'vitest';
import { instantOf } from '../../src/checkout/contract.ts';
import { withSessionId } from '../../src/checkout/return-url.ts';
import { createPaymentsClient } from '../../src/client/client.ts';
import { DAY_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { transactionsOfSession } from '../../src/payments/session-store.ts';
import { expectRefusal } from '../api/endpoints.ts';
import { call, jsonPost, ORDER, startService } from '../support/harness.ts';
import { auditRows } from '../support/row-audit.ts';
import { until } from '../support/until.ts';
import { createSession, readSession } from './support.ts';

const service = await startService({ whenOver: afterAll });
const { deps } = service.app;
const merchant = await service.merchant({ domains: ['shop.pt', '*.loja.pt'] });

const ahead = (ms: number) => new Date(Date.now() + ms).toISOString();
const fieldsOf = async (overrides: Record<string, unknown>) =>
  (await createSession(service, merchant, overrides)).body.fields;
const expired = (sessionId: string) =>
  until(
    async () => (await readSession(service, merchant, sessionId)).body.status === 'expired',
    'the expiry',
  );

test('a session is created with its first transaction and lasts 24 hours', async () => {
  const before = Date.now();
  const { status, body } = await createSession(service, merchant, { orderId: 'S-1' });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(Object.keys(body)).toEqual(['sessionId', 'url', 'status', 'expiresAt']);
  expect(body.sessionId).toMatch(/^cs_/);
  expect(body.status).toBe('open');
  expect(body.url).toMatch(new RegExp(`^${service.url}/pay/[\\w-]{22}$`));
  expect(Date.parse(body.expiresAt) - before - DAY_MS).toBeLessThan(5000);

  const read = (await readSession(service, merchant, body.sessionId)).body;
  expect(read).toEqual({
    sessionId: body.sessionId,
    status: 'open',
    transactionId: expect.stringMatching(/^tx_/),
    externalOrderId: 'S-1',
    amount: ORDER.amount,
    currency: 'EUR',
    url: body.url,
    expiresAt: body.expiresAt,
  });
  expect(await merchant.status(read.transactionId)).toMatchObject({ status: 'pending', amount: 19.99 });
});

test('the page and the answer of a session read its transactions without their items', async () => {
  const { body } = await createSession(service, merchant, {});
  const session = { id: body.sessionId, merchant_id: merchant.merchantId };
  const [transaction] = await transactionsOfSession(deps.db.read, session);
  expect(transaction).toMatchObject({ status: 'pending', order_id: ORDER.orderId });
  expect(transaction).not.toHaveProperty('items');
});

test('the session, its transaction and the kept answer are one database transaction without the token', async () => {
  const audit = await auditRows(deps.settings.databaseUrl);
  const { body } = await createSession(service, merchant, {}, { 'idempotency-key': 'one' });
  expect(await audit.changes()).toMatchObject({
    'checkout_sessions insert': 1,
    'transactions insert': 1,
    'idempotency insert': 1,
  });
  await audit.close();
  const token = body.url.split('/').at(-1);
  const tables = ['checkout_sessions', 'idempotency', 'transactions'] as const;
  for (const table of tables)
    expect(JSON.stringify(await deps.db.read.selectFrom(table).selectAll().execute())).not.toContain(token);
});

describe('an Idempotency-Key', () => {
  test('repeats the first answer, over REST and tRPC, and creates nothing', async () => {
    const headers = { 'idempotency-key': 'K-1' };
    const first = await createSession(service, merchant, { locale: 'en' }, headers);
    const again = await createSession(service, merchant, { locale: 'en', methods: null }, headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const overTrpc = await call(
      `${service.url}/trpc/checkout.createSession`,
      jsonPost({ ...ORDER, locale: 'en' }, { authorization: `Bearer ${merchant.apiKey}`, ...headers }),
    );
    expect(overTrpc.body.result.data).toEqual(first.body);
    expectRefusal(
      await createSession(service, merchant, { locale: 'pt' }, headers),
      400,
      'IDEMPOTENCY_KEY_REUSED',
    );
  });

  test('is apart from the keys of init', async () => {
    const headers = { 'idempotency-key': 'SHARED' };
    expect((await merchant.post('/payments/init', ORDER, headers)).status).toBe(200);
    const session = await createSession(service, merchant, {}, headers);
    expect([session.status, session.headers.get('idempotency-replayed')]).toEqual([200, null]);
  });

  test('repeats the answer after expiresAt has passed', async () => {
    const headers = { 'idempotency-key': 'SHORT' };
    const order = { expiresAt: ahead(1000) };
    const first = await createSession(service, merchant, order, headers);
    expect(first.status).toBe(200);
    await expired(first.body.sessionId);
    expect((await createSession(service, merchant, order, headers)).body).toEqual(first.body);
  });
});

describe('the addresses of the store', () => {
  test.each([
    'https://shop.pt/thanks?order=1&x=%20',
    'https://www.shop.pt:8443/',
    'https://de.loja.pt/obrigado',
    'http://localhost:3000/thanks',
    'http://localhost',
  ])('%s is accepted', async (successUrl) => {
    const { status, body } = await createSession(service, merchant, { successUrl, cancelUrl: successUrl });
    expect(status, JSON.stringify(body)).toBe(200);
  });

  // hostile.test.ts has addresses that only look like those of the store.
  test.each(['https://loja.pt/', `https://shop.pt/${'x'.repeat(2048)}`, 17])('%s is refused', async (url) => {
    expect(await fieldsOf({ successUrl: url })).toEqual(['successUrl']);
    expect(await fieldsOf({ cancelUrl: url })).toEqual(['cancelUrl']);
  });

  test('are reported with the other fields, before the store domain', async () => {
    const answer = await createSession(service, merchant, {
      amount: 0,
      storeUrl: 'https://unknown.pt',
      successUrl: 'https://unknown.pt/',
      expiresAt: '2020-01-01T00:00:00Z',
    });
    expect(answer.body).toMatchObject({
      code: 'INVALID_FIELDS',
      fields: ['amount', 'successUrl', 'expiresAt'],
    });
    const domain = await createSession(service, merchant, { storeUrl: 'https://unknown.pt' });
    expectRefusal(domain, 403, 'DOMAIN_NOT_ALLOWED');
  });
});

test('methods, locale and expiresAt are checked', async () => {
  for (const methods of [[], ['CARD'], ['MBWAY', 7], 'MBWAY', {}]) {
    expect(await fieldsOf({ methods })).toEqual(['methods']);
  }
  for (const locale of ['fr', 'PT', 1]) expect(await fieldsOf({ locale })).toEqual(['locale']);
  const wrong = ['tomorrow', '2026-11-24', '2030-02-30T10:00:00Z', '2030-01-01T10:00:00', 5, ahead(-1000)];
  for (const expiresAt of [...wrong, ahead(30 * DAY_MS + MINUTE_MS)]) {
    expect(await fieldsOf({ expiresAt })).toEqual(['expiresAt']);
  }
  expect([instantOf('2026-02-28T00:00:00Z'), instantOf('2026-02-30T00:00:00Z')]).toEqual([
    Date.UTC(2026, 1, 28),
    null,
  ]);
  const lisbon = `${new Date(Date.now() + 10 * DAY_MS).toISOString().slice(0, 19)}+01:00`;
  const { body } = await createSession(service, merchant, { expiresAt: lisbon, methods: ['REFERENCE'] });
  expect(body.expiresAt).toBe(new Date(lisbon).toISOString());
});

test('a session needs a method that takes its amount', async () => {
  const large = { amount: 5000.01 };
  const refused = await createSession(service, merchant, { ...large, methods: ['MBWAY'] });
  expectRefusal(refused, 400, 'AMOUNT_ABOVE_METHOD_LIMIT');
  expect((await createSession(service, merchant, large)).status).toBe(200);
});

test('the checks of init apply, in their order', async () => {
  const other = await service.merchant();
  expectRefusal(await createSession(service, { apiKey: 'sk_no' }), 401, 'UNAUTHORIZED');
  const missing = await createSession(service, other, { items: [] });
  expectRefusal(missing, 400, 'CHECKOUT_DATA_REQUIRED', ['items']);
  const bad = await createSession(service, other, {}, { 'content-type': 'text/plain' });
  expectRefusal(bad, 400, 'INVALID_BODY');
  await setMerchant(deps, other.merchantId, { active: false });
  expectRefusal(await createSession(service, other), 403, 'ACCOUNT_INACTIVE');
});

test("another merchant's session does not exist", async () => {
  const { body } = await createSession(service, merchant);
  const other = await service.merchant();
  for (const id of [body.sessionId, 'cs_unknown'])
    expectRefusal(await readSession(service, other, id), 404, 'TRANSACTION_NOT_FOUND');
});

test('only the two operations exist under the prefix, and they count in the rate limit', async () => {
  const limited = await startService({ env: { SERVICE_POST_RATE_LIMIT: '2' } });
  const seller = await limited.merchant();
  const first = await createSession(limited, seller);
  expect(first.headers.get('ratelimit-remaining')).toBe('1');
  expect((await seller.post('/payments/init', ORDER)).headers.get('ratelimit-remaining')).toBe('0');
  expectRefusal(await createSession(limited, seller), 429, 'RATE_LIMITED');
  for (const path of ['/checkout/v1', '/checkout/v1/payments/init', '/api/v1/sessions']) {
    const { status, body } = await call(`${limited.url}${path}`, {});
    expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
  }
});

test('the document needs no key, is valid and is the committed one', async () => {
  const { status, body } = await call(`${service.url}/checkout/v1/openapi.json`, {});
  expect(status).toBe(200);
  const operations = Object.entries(body.paths).flatMap(([path, item]) =>
    Object.keys(item as object).map((method) => `${method} ${path}`),
  );
  expect(operations).toEqual(['post /sessions', 'get /sessions']);
  const committed = JSON.parse(readFileSync('openapi/checkout.json', 'utf8'));
  expect({ ...body, servers: committed.servers }).toEqual(committed);
  expect((await new Validator().validate(body)).errors).toBeUndefined();
  const api = await call(`${service.url}/api/v1/openapi.json`, {});
  expect(Object.keys(api.body.paths)).toHaveLength(5);
});

test('the client creates and reads a session', async () => {
  const client = createPaymentsClient({ baseUrl: `${service.url}/api/v1`, apiKey: merchant.apiKey });
  const { sessionId, url } = await client.createSession({
    ...ORDER,
    methods: ['MBWAY'],
    orderId: 'CLIENT-1',
  });
  expect(await client.session({ sessionId })).toMatchObject({
    url,
    status: 'open',
    externalOrderId: 'CLIENT-1',
  });
  expect(await merchant.trpc.checkout.session.query({ sessionId })).toMatchObject({ sessionId });
});

test('a transaction of a session is cancelled at its expiry, not before, and takes no step after it', async () => {
  const hasty = await startService({ env: { SERVICE_PENDING_HOURS: '0' } });
  const seller = await hasty.merchant();
  await seller.reaches(await seller.init(), 'cancelled');
  const { body } = await createSession(hasty, seller, { expiresAt: ahead(3000) });
  const { transactionId } = (await readSession(hasty, seller, body.sessionId)).body;
  expect((await seller.status(transactionId)).status).toBe('pending');
  await seller.reaches(transactionId, 'cancelled');
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(body.expiresAt));
  const step = await seller.post('/payments/mbway', { transactionId, phoneNumber: '912345678' });
  expectRefusal(step, 400, 'TRANSACTION_NOT_PENDING');
  expect((await readSession(hasty, seller, body.sessionId)).body.status).toBe('expired');
});

test('the return address keeps its query and its fragment', () => {
  for (const [url, returned] of [
    ['https://shop.pt/', 'https://shop.pt/?session_id=cs_1'],
    ['https://shop.pt/?', 'https://shop.pt/?session_id=cs_1'],
    ['https://shop.pt/?a=1&', 'https://shop.pt/?a=1&session_id=cs_1'],
    ['https://shop.pt/?a=1#end', 'https://shop.pt/?a=1&session_id=cs_1#end'],
  ] as const)
    expect(withSessionId(url, 'cs_1')).toBe(returned);
});
