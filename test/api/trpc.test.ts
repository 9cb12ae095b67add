import { createTRPCClient, httpBatchLink, TRPCClientError } from '@trpc/client';
import { afterAll, expect, test } from 'vitest';
import type { AppRouter } from '../../src/router.ts';
import { call, jsonPost, ORDER, startWithMerchant } from '../support/harness.ts';
import { expectRefusal, order, publicMembers } from './endpoints.ts';

const { service, merchant } = await startWithMerchant({ whenOver: afterAll });
const auth = { authorization: `Bearer ${merchant.apiKey}` };

/** Posts a body to a procedure. */
const post = (procedure: string, body: unknown) =>
  call(`${service.url}/trpc/${procedure}`, jsonPost(body, auth));

async function transactionsCount(): Promise<number> {
  return (await service.app.deps.db.read.selectFrom('transactions').select('id').execute()).length;
}

test('the typed client throws an error with the sentence, the code, the fields and the request id', async () => {
  const failure = await merchant.trpc.payments.init
    .mutate({ ...ORDER, amount: 0 })
    .catch((error: unknown) => error);
  if (!(failure instanceof TRPCClientError)) throw new Error('a TRPCClientError was expected');
  expect(failure.data).toMatchObject({
    error: expect.stringMatching(/\S/),
    code: 'INVALID_FIELDS',
    fields: ['amount'],
    requestId: expect.stringMatching(/^[A-Za-z0-9._-]{1,128}$/),
  });
  expect(failure.message).toBe(failure.data.error);
  expect(JSON.stringify(failure.data)).not.toMatch(/stack|node_modules|\.ts:/);
});

test('batching is off: a batch runs nothing', async () => {
  const before = await transactionsCount();
  for (const comma of [',', '%2C']) {
    const answer = await post(`payments.init${comma}payments.init?batch=1`, { 0: order(), 1: order() });
    expect(answer.status).toBe(400);
  }
  const single = await post('payments.init?batch=1', { 0: order() });
  expectRefusal({ ...single, body: publicMembers(single.body.error.data) }, 400, 'INVALID_BODY');
  expect(await transactionsCount()).toBe(before);
  const batching = createTRPCClient<AppRouter>({
    links: [httpBatchLink({ url: `${service.url}/trpc`, headers: auth })],
  });
  const off = { message: 'Batching is off: use httpLink.', data: { code: 'INVALID_BODY', httpStatus: 400 } };
  await expect(batching.payments.methods.query()).rejects.toMatchObject(off);
  const failures = await Promise.allSettled([
    batching.payments.init.mutate(ORDER),
    batching.payments.init.mutate(ORDER),
    batching.payments.methods.query(),
    batching.payments.methods.query(),
  ]);
  for (const failure of failures) expect(failure).toMatchObject({ status: 'rejected', reason: off });
  const unknown = await call(`${service.url}/trpc/payments.methods,payments.refund?batch=1`, {
    headers: auth,
  });
  expect(unknown.status).toBe(404);
  expect(await transactionsCount()).toBe(before);
});

test('a mutation is not run by a GET, nor a query by a POST', async () => {
  const before = await transactionsCount();
  const input = encodeURIComponent(JSON.stringify(order()));
  const byGet = await call(`${service.url}/trpc/payments.init?input=${input}`, { headers: auth });
  expect([400, 404]).toContain(byGet.status);
  const byPost = await post('payments.methods', {});
  expect([400, 404]).toContain(byPost.status);
  expect(await transactionsCount()).toBe(before);
});

test.each(['', 'input=%7B', 'input=[]', 'input=7', 'connectionParams=%7B'])(
  'a query whose input is no JSON object is INVALID_BODY: %s',
  async (query) => {
    const answer = await call(`${service.url}/trpc/payments.status?${query}`, { headers: auth });
    expectRefusal({ ...answer, body: publicMembers(answer.body.error.data) }, 400, 'INVALID_BODY');
  },
);

test('a response is never streamed', async () => {
  const headers = { ...auth, 'trpc-accept': 'application/jsonl', accept: 'text/event-stream' };
  const answer = await call(`${service.url}/trpc/payments.methods`, { headers });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.body.result.data.methods).toHaveLength(3);
});
