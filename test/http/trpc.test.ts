import { createTRPCClient, httpBatchLink, httpLink, TRPCClientError } from '@trpc/client';
import { describe, expect, it } from 'vitest';
import { INTERNAL_ERROR_TEXT } from '../../src/kernel/errors.ts';
import { until } from '../support/until.ts';
import { type Edge, post, send, startEdge, type TestRouter } from './support.ts';

const INIT = '/trpc/payments.init';
const ORDER = { orderId: 'A', amount: 12.5 };

function client(edge: Edge, link: typeof httpLink | typeof httpBatchLink = httpLink) {
  const options = { url: `${edge.url}/trpc`, headers: { authorization: `Bearer ${edge.apiKey}` } };
  return createTRPCClient<TestRouter>({ links: [link(options)] });
}

async function failureOf(call: Promise<unknown>) {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof TRPCClientError)) throw new Error(`expected a tRPC error, got ${error}`);
  return error;
}

describe('the tRPC door', () => {
  it('runs the same procedures for a typed client, with the same key and headers', async () => {
    const edge = await startEdge();
    expect(await client(edge).payments.status.query({ transactionId: 'tx_1' })).toEqual({
      transactionId: 'tx_1',
    });
    expect(await client(edge).payments.init.mutate(ORDER)).toMatchObject({
      ...ORDER,
      merchant: edge.merchantId,
    });
    const answer = await post(edge, INIT, ORDER, { 'x-request-id': 'r-1', origin: 'https://shop.pt' });
    expect(answer.body.result.data.origin).toBe('https://shop.pt');
    expect(answer.headers.get('idempotency-replayed')).toBe('true');
    expect(answer.headers.get('x-request-id')).toBe('r-1');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('tells an error by error, code, fields and requestId, and nothing of its inside', async () => {
    const edge = await startEdge();
    const rest = await post(edge, '/api/v1/payments/init', { items: [{}] }, { 'x-request-id': 'r-1' });
    const trpc = await post(edge, INIT, { items: [{}] }, { 'x-request-id': 'r-1' });
    expect(trpc.status).toBe(400);
    expect(trpc.body.error.data).toEqual({ ...rest.body, httpStatus: 400 });
    expect(trpc.body.error.message).toBe(rest.body.error);
    const error = await failureOf(client(edge).payments.boom.mutate({}));
    expect(error.message).toBe(INTERNAL_ERROR_TEXT);
    expect(Object.keys(error.data).sort()).toEqual(['code', 'error', 'httpStatus', 'requestId']);
    await until(() => edge.logged().some((line) => String(line.cause).includes('on fire')));
  });

  it.each([
    ['malformed JSON', '{"a"', {}],
    ['no object', '[1]', {}],
    ['nothing', '', {}],
    ['another type', '{}', { 'content-type': 'text/plain' }],
    ['multipart', '--x--', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['bytes', 'x', { 'content-type': 'application/octet-stream' }],
    ['more than 256 KiB', JSON.stringify({ ...ORDER, note: 'x'.repeat(256 * 1024) }), {}],
  ])('answers a body of %s with INVALID_BODY', async (_name, body, headers) => {
    const edge = await startEdge();
    const answer = await post(edge, INIT, body, headers);
    expect([answer.status, answer.body.error.data.code]).toEqual([400, 'INVALID_BODY']);
  });

  it.each([
    ['an unknown procedure', 'POST', '/trpc/payments.nothing'],
    ['a procedure by a REST path', 'POST', '/trpc/payments/init'],
    ['a GET to a mutation', 'GET', INIT],
    ['a POST to a query', 'POST', '/trpc/payments.status'],
    ['OPTIONS', 'OPTIONS', INIT],
  ])('answers %s with NOT_FOUND', async (_name, method, path) => {
    const edge = await startEdge();
    const answer = await send(edge, path, { method });
    expect([answer.status, answer.body.error.data.code]).toEqual([404, 'NOT_FOUND']);
  });

  it.each(['', 'input=%7B', 'input=[]', 'input=7', 'connectionParams=%7B'])(
    'answers a query’s bad input (%s) with INVALID_BODY',
    async (query) => {
      const edge = await startEdge();
      const answer = await send(edge, `/trpc/payments.status?${query}`);
      expect([answer.status, answer.body.error.data.code]).toEqual([400, 'INVALID_BODY']);
    },
  );

  it('refuses a batch, also of one, in words that a batching client understands', async () => {
    const edge = await startEdge();
    const one = await post(edge, `${INIT}?batch=1`, { 0: ORDER });
    expect([one.status, one.body.error.data.code]).toEqual([400, 'INVALID_BODY']);
    const error = await failureOf(client(edge, httpBatchLink).payments.methods.query());
    expect(error.data).toMatchObject({ code: 'INVALID_BODY', httpStatus: 400 });
  });

  it('streams nothing, whatever the client accepts', async () => {
    const edge = await startEdge();
    const headers = { 'trpc-accept': 'application/jsonl', accept: 'text/event-stream' };
    const answer = await send(edge, '/trpc/payments.methods', { headers });
    expect([answer.status, answer.body.result.data]).toEqual([200, { methods: [] }]);
  });

  it('asks for the key as REST does', async () => {
    const edge = await startEdge();
    const answer = await post(edge, INIT, 'not json', { authorization: 'Bearer sk_nobody' });
    expect([answer.status, answer.body.error.data.code]).toEqual([401, 'UNAUTHORIZED']);
  });
});
