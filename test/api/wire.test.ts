import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { call, startWithMerchant } from '../support/harness.ts';
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

const { service, merchant } = await startWithMerchant({ whenOver: afterAll });
const caller = callerOf(service, merchant);

/** The JSON of an order with exactly this number of bytes. */
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
    'application/json/x',
    'application/problem+json',
    'multipart/form-data; boundary=x',
  ])('of the content type %s is refused', async (contentType) =>
    expectRefusal(await post(JSON.stringify(order()), contentType), 400, 'INVALID_BODY'),
  );

  test('that is compressed is refused', async () => {
    const compressed = { ...caller, headers: { 'content-encoding': 'gzip' } };
    const bytes = new Uint8Array(gzipSync(JSON.stringify(order())));
    expectRefusal(await callRaw(endpoint, compressed, 'init', bytes), 400, 'INVALID_BODY');
  });

  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'])(
    'of the content type %s is read',
    async (contentType) => expect((await post(JSON.stringify(order()), contentType)).status).toBe(200),
  );

  test('of 256 KiB is read and one byte more is refused', async () => {
    expect((await post(orderOf(BODY_BYTES_MAX))).status).toBe(200);
    expectRefusal(await post(orderOf(BODY_BYTES_MAX + 1)), 400, 'INVALID_BODY');
  });

  test('of 50,000 nested arrays is not a server error', async () => {
    const depth = 50_000;
    const arrays = '['.repeat(depth) + ']'.repeat(depth);
    const nested = JSON.stringify(order({ x: '@' })).replace('"@"', arrays);
    expect([200, 400]).toContain((await post(nested)).status);
  });

  test('is answered with a valid request id of the caller, else with a new one', async () => {
    const answeredId = async (id: string) => {
      const withId = callerOf(service, merchant, { 'x-request-id': id });
      const answer = await callOperation(endpoint, withId, 'init', order({ amount: 0 }));
      expectRefusal(answer, 400, 'INVALID_FIELDS', ['amount']);
      return answer.body.requestId;
    };
    for (const id of ['a', 'Order-7_x.9', 'x'.repeat(128)]) expect(await answeredId(id)).toBe(id);
    for (const id of ['', 'x'.repeat(129), 'a b', 'a/b', 'é', '<b>'])
      expect(await answeredId(id)).not.toBe(id);
  });
});

test('the limit of the body applies to chunked uploads', async () => {
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

test('every answer carries the request id and is not stored', async () => {
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
