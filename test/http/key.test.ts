import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { createKey, revokeKey, rollKey } from '../../src/merchants/keys.ts';
import { selectRow, updateRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { dial, type Edge, head, send, startEdge } from './support.ts';

const METHODS = '/api/v1/payments/methods';

const withHeader = (edge: Edge, authorization: string) => send(edge, METHODS, { headers: { authorization } });

function keyOf(edge: Edge) {
  const hash = createHash('sha256').update(edge.apiKey).digest('hex');
  return selectRow(edge.deps.db, 'api_keys', { hash });
}

describe('a key', () => {
  it('ends with its grace, to the millisecond', async () => {
    const edge = await startEdge();
    const end = edge.clock.now() + 1000;
    await edge.deps.db.unit((tx) => tx.updateTable('api_keys').set({ expires_at: end }).execute());
    await edge.clock.advance(999);
    expect((await withHeader(edge, `Bearer ${edge.apiKey}`)).status).toBe(200);
    await edge.clock.advance(1);
    expect((await withHeader(edge, `Bearer ${edge.apiKey}`)).status).toBe(401);
  });

  it('that was revoked or rolled without grace stays refused when the clock goes back', async () => {
    const edge = await startEdge();
    const { merchant_id: merchantId } = await keyOf(edge);
    const named = await createKey(edge.deps, merchantId, { name: 'ERP', expiresInDays: undefined });
    await revokeKey(edge.deps, merchantId, named.keyId);
    await rollKey(edge.deps, merchantId, { graceHours: 0 });
    await edge.clock.jump(-10 * MINUTE_MS);
    for (const apiKey of [named.apiKey, edge.apiKey]) {
      expect((await withHeader(edge, `Bearer ${apiKey}`)).status).toBe(401);
    }
  });

  it.each(['/api/v1/payments/init', '/trpc/payments.init'])(
    'is verified again when the body of %s arrives slowly',
    async (path) => {
      const edge = await startEdge();
      const send = async (waitMs: number) => {
        const { socket, closed, answers } = await dial(edge.port);
        const start = edge.clock.now();
        const bytes = head(edge, 'Connection: close', 'Content-Length: 27').replace(
          '/api/v1/payments/init',
          path,
        );
        socket.write(`${bytes}\r\n\r\n{"orderId":`);
        await until(async () => (await keyOf(edge)).last_used_at === start);
        await updateRows(edge.deps.db, 'api_keys', { expires_at: start + 1 });
        await edge.clock.advance(waitMs);
        socket.write('"A","amount":1}\n');
        await closed;
        return answers().map(({ status }) => status);
      };
      expect(await send(1000)).toEqual([200]);
      await edge.deps.db.unit((tx) => tx.updateTable('api_keys').set({ expires_at: null }).execute());
      await edge.clock.advance(60_000);
      expect(await send(1001)).toEqual([401]);
    },
  );

  it('has its last use recorded at most once a minute', async () => {
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
    await edge.clock.advance(60_000);
    Object.assign(edge.deps, { db: { ...edge.deps.db, unit: () => Promise.reject(new Error('disk full')) } });
    expect((await withHeader(edge, `Bearer ${edge.apiKey}`)).status, 'also without a record').toBe(200);
    await until(() => edge.logged().some(({ msg }) => msg === 'last use of a key not recorded'));
  });
});
