import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Id } from '../../src/kernel/ids.ts';
import { until } from '../support/until.ts';
import { type Edge, exchange, post, send, startEdge } from './support.ts';

const METHODS = '/api/v1/payments/methods';

const withHeader = (edge: Edge, authorization: string) => send(edge, METHODS, { headers: { authorization } });

function keyOf(edge: Edge) {
  const hash = createHash('sha256').update(edge.apiKey).digest('hex');
  return edge.deps.db.read
    .selectFrom('api_keys')
    .selectAll()
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow();
}

describe('a key', () => {
  it('opens the door whatever the case of Bearer and the number of spaces', async () => {
    const edge = await startEdge();
    for (const scheme of ['Bearer ', 'bearer ', 'BEARER   ']) {
      expect((await withHeader(edge, scheme + edge.apiKey)).status).toBe(200);
    }
  });

  it.each([
    '',
    'Bearer',
    'Bearer ',
    'Basic dTpw',
    'Bearer sk_nobody',
    'Bearer a b',
    'Bearersk_x',
    'Token sk_x',
  ])('that is not one (%s) is UNAUTHORIZED', async (authorization) => {
    const edge = await startEdge();
    const answer = await withHeader(edge, authorization);
    expect([answer.status, answer.body.code]).toEqual([401, 'UNAUTHORIZED']);
    expect(Object.keys(answer.body)).toEqual(['error', 'code', 'requestId']);
  });

  it('is asked for before the body is looked at, and after the route', async () => {
    const edge = await startEdge();
    const headers = 'Host: x\r\nContent-Length: 100\r\nContent-Type: text/plain';
    // The body never comes: an answer proves that nobody waited for it.
    const open = await exchange(edge.port, `POST /api/v1/payments/init HTTP/1.1\r\n${headers}\r\n\r\n`, 300);
    expect(open.map(({ body }) => body.code)).toEqual(['UNAUTHORIZED']);
    const lost = await exchange(
      edge.port,
      `POST /api/v1/payments/nothing HTTP/1.1\r\n${headers}\r\n\r\n`,
      300,
    );
    expect(lost.map(({ body }) => body.code)).toEqual(['NOT_FOUND']);
  });

  it('of a closed account is ACCOUNT_INACTIVE, with the next call, before the body is looked at', async () => {
    const edge = await startEdge();
    expect((await withHeader(edge, `Bearer ${edge.apiKey}`)).status).toBe(200);
    await edge.deps.db.unit((tx) => tx.updateTable('merchants').set({ active: 0 }).execute());
    const answer = await post(edge, '/api/v1/payments/init', 'not json');
    expect([answer.status, answer.body.code]).toEqual([403, 'ACCOUNT_INACTIVE']);
  });

  it('ends with its grace, to the millisecond', async () => {
    const edge = await startEdge();
    const end = edge.clock.now() + 1000;
    await edge.deps.db.unit((tx) => tx.updateTable('api_keys').set({ expires_at: end }).execute());
    await edge.clock.advance(999);
    expect((await withHeader(edge, `Bearer ${edge.apiKey}`)).status).toBe(200);
    await edge.clock.advance(1);
    expect((await withHeader(edge, `Bearer ${edge.apiKey}`)).status).toBe(401);
  });

  it('has its use noted at most once a minute', async () => {
    const edge = await startEdge();
    const first = edge.clock.now();
    await withHeader(edge, `Bearer ${edge.apiKey}`);
    await until(async () => (await keyOf(edge)).last_used_at === first);
    await edge.clock.advance(59_999);
    await withHeader(edge, `Bearer ${edge.apiKey}`);
    await edge.deps.db.unit(async () => {});
    expect((await keyOf(edge)).last_used_at).toBe(first);
    await edge.clock.advance(1);
    await withHeader(edge, `Bearer ${edge.apiKey}`);
    await until(async () => (await keyOf(edge)).last_used_at === first + 60_000);
  });

  it('of one merchant among several opens its own account', async () => {
    const edge = await startEdge();
    await edge.deps.db.unit(async (tx) => {
      const row = await tx.selectFrom('merchants').selectAll().executeTakeFirstOrThrow();
      const id: Id<'mer'> = 'mer_other';
      await tx
        .insertInto('merchants')
        .values({ ...row, id })
        .execute();
      const hash = createHash('sha256').update('sk_other').digest('hex');
      await tx
        .insertInto('api_keys')
        .values({
          id: 'key_other',
          merchant_id: id,
          hash,
          secret: '',
          created_at: 0,
          expires_at: null,
          last_used_at: null,
        })
        .execute();
    });
    const answer = await post(
      edge,
      '/api/v1/payments/init',
      { orderId: 'A', amount: 1 },
      { authorization: 'Bearer sk_other' },
    );
    expect(answer.body.merchant).toBe('mer_other');
  });
});
