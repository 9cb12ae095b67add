import { afterAll, describe, expect, test } from 'vitest';
import { call, startService } from '../support/harness.ts';
import {
  callerOf,
  callOperation,
  callRaw,
  ENDPOINTS,
  expectRefusal,
  expectWireHeaders,
  order,
} from './endpoints.ts';

const BODY_BYTES_MAX = 256 * 1024;

const service = await startService({ whenOver: afterAll });
const merchant = await service.merchant();
const caller = callerOf(service, merchant);

/** The JSON of an order in exactly so many bytes. */
function orderOf(bytes: number): string {
  const bare = JSON.stringify(order({ padding: '' }));
  return JSON.stringify(order({ padding: 'x'.repeat(bytes - bare.length) }));
}

describe.each(ENDPOINTS)('a body through %s', (endpoint) => {
  const post = (body: string | Uint8Array<ArrayBuffer>, contentType?: string | null) =>
    callRaw(endpoint, caller, 'init', body, contentType);

  test.each(['', ' ', '{', '{"orderId":', '{"amount":NaN}', "{'a':1}", '{"a":1}x', 'undefined'])(
    'that is malformed JSON is refused: %j',
    async (body) => expectRefusal(await post(body), 400, 'INVALID_BODY'),
  );

  test.each(['[]', '[{}]', '"x"', '7', 'true', 'null'])('that is no object is refused: %s', async (body) =>
    expectRefusal(await post(body), 400, 'INVALID_BODY'),
  );

  test('that is no UTF-8 is refused', async () => {
    const bytes = new Uint8Array(Buffer.from(JSON.stringify(order({ orderId: 'ção' })), 'latin1'));
    expectRefusal(await post(bytes), 400, 'INVALID_BODY');
  });

  test.each([
    null,
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/problem+json',
    'multipart/form-data; boundary=x',
  ])('of the content type %s is refused', async (contentType) =>
    expectRefusal(await post(JSON.stringify(order()), contentType), 400, 'INVALID_BODY'),
  );

  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    'of the content type %s is read',
    async (contentType) => expect((await post(JSON.stringify(order()), contentType)).status).toBe(200),
  );

  test('of 256 KiB is read and one byte more is refused', async () => {
    expect((await post(orderOf(BODY_BYTES_MAX))).status).toBe(200);
    expectRefusal(await post(orderOf(BODY_BYTES_MAX + 1)), 400, 'INVALID_BODY');
  });

  test('that nests without end is no fault of ours', async () => {
    const depth = 50_000;
    const nested = JSON.stringify(order({ x: '@' })).replace(
      '"@"',
      `${'['.repeat(depth)}${']'.repeat(depth)}`,
    );
    expect([200, 400]).toContain((await post(nested)).status);
  });

  test('is UTF-8 both ways', async () => {
    const orderId = 'Encomenda nº 7 – ção €\u{1F9E1}';
    const { body } = await post(JSON.stringify(order({ orderId })));
    expect((await merchant.status(body.transactionId)).externalOrderId).toBe(orderId);
  });

  test.each(['mbway', 'multibanco'] as const)('of the step %s obeys the same rules', async (step) => {
    expectRefusal(await callRaw(endpoint, caller, step, '{'), 400, 'INVALID_BODY');
    expectRefusal(await callRaw(endpoint, caller, step, '[]'), 400, 'INVALID_BODY');
    expectRefusal(await callRaw(endpoint, caller, step, '{}', 'text/plain'), 400, 'INVALID_BODY');
  });

  test('is answered with the request id of the caller when that is fit, else with a new one', async () => {
    const withId = (id: string) =>
      callOperation(
        endpoint,
        callerOf(service, merchant, { 'x-request-id': id }),
        'init',
        order({ amount: 0 }),
      );
    for (const id of ['a', 'Order-7_x.9', 'x'.repeat(128)]) {
      const answer = await withId(id);
      expectRefusal(answer, 400, 'INVALID_FIELDS', ['amount']);
      expect(answer.body.requestId).toBe(id);
    }
    for (const id of ['', 'x'.repeat(129), 'a b', 'a/b', 'é', '<b>']) {
      const answer = await withId(id);
      expectRefusal(answer, 400, 'INVALID_FIELDS', ['amount']);
      expect(answer.body.requestId).not.toBe(id);
    }
  });
});

test('a body sent in chunks is measured as it comes', async () => {
  const chunks = (bytes: number) =>
    call(`${service.url}/api/v1/payments/init`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${merchant.apiKey}` },
      body: new Blob([orderOf(bytes)]).stream(),
      duplex: 'half',
    } as RequestInit);
  expect((await chunks(BODY_BYTES_MAX)).status).toBe(200);
  expectRefusal(await chunks(BODY_BYTES_MAX + 1), 400, 'INVALID_BODY');
});

test('every answer, good or bad, carries the request id and is not to be stored', async () => {
  const given = { 'x-request-id': 'mine-1' };
  const good = await merchant.get('/payments/methods', given);
  expectWireHeaders(good);
  expect(good.headers.get('x-request-id')).toBe('mine-1');
  expect(good.headers.get('content-type')).toMatch(/^application\/json\b/);
  const lost = await merchant.get('/nothing', given);
  expectRefusal(lost, 404, 'NOT_FOUND');
  expect(lost.body.requestId).toBe('mine-1');
  expect(lost.headers.get('content-type')).toMatch(/^application\/json\b/);
});

describe('an unknown path or a wrong method is 404', () => {
  test.each([
    ['GET', '/payments/init'],
    ['PUT', '/payments/init'],
    ['PATCH', '/payments/init'],
    ['DELETE', '/payments/init'],
    ['GET', '/payments/mbway'],
    ['GET', '/payments/multibanco'],
    ['POST', '/payments/status'],
    ['POST', '/payments/methods'],
    ['OPTIONS', '/payments/init'],
    ['OPTIONS', '/payments/status'],
    ['GET', '/'],
    ['GET', ''],
    ['POST', '/payments'],
    ['GET', '/payments/refunds'],
    ['POST', '/payments/init/x'],
    ['GET', '/payments/%zz'],
    ['GET', '/payments/..%2fstatus'],
  ])('%s /api/v1%s, with and without a key', async (method, path) => {
    const auth = { authorization: `Bearer ${merchant.apiKey}`, origin: 'https://shop.pt' };
    for (const headers of [{}, auth]) {
      const answer = await call(`${service.url}/api/v1${path}`, { method, headers });
      if (path.includes('%zz') && answer.status === 400) expectRefusal(answer, 400, 'INVALID_BODY');
      else expectRefusal(answer, 404, 'NOT_FOUND');
    }
  });

  test.each(['/payments/methods', '/payments/init', '/nothing'])('HEAD /api/v1%s', async (path) => {
    const headers = { authorization: `Bearer ${merchant.apiKey}` };
    const answer = await call(`${service.url}/api/v1${path}`, { method: 'HEAD', headers });
    expect(answer.status).toBe(404);
    expectWireHeaders(answer);
  });
});
