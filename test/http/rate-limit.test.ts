import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Edge, post, send, startEdge } from './support.ts';

const INIT = '/api/v1/payments/init';
const limitOf = (limit: string, trustProxy = 'false') =>
  startEdge({ env: { SERVICE_POST_RATE_LIMIT: limit, SERVICE_TRUST_PROXY: trustProxy } });

async function spend(edge: Edge, count: number, headers: Record<string, string> = {}): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) statuses.push((await post(edge, INIT, {}, headers)).status);
  return statuses;
}

afterEach(() => {
  vi.useRealTimers();
});

describe('the rate limit', () => {
  it('counts POSTs to API paths in any spelling only', async () => {
    const edge = await limitOf('3');
    const remaining = async (path: string) => (await post(edge, path, {})).headers.get('ratelimit-remaining');
    expect(await remaining('/%61pi/v1/payments/init')).toBe('2');
    expect(await remaining('/elsewhere')).toBeNull();
    expect(await remaining('/trpc/nothing')).toBe('1');
    expect((await send(edge, INIT, { method: 'PUT' })).headers.get('ratelimit-remaining')).toBeNull();
  });

  it('counts for one minute from the first POST, refused calls included', async () => {
    const edge = await limitOf('2');
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
    expect(await spend(edge, 3)).toEqual([400, 400, 429]);
    vi.setSystemTime(1_059_500);
    const refused = await post(edge, INIT, {});
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    vi.setSystemTime(1_060_000);
    expect(await spend(edge, 3)).toEqual([400, 400, 429]);
  });
});

describe('the client of the rate limit', () => {
  const from = (...entries: string[]) => ({ 'x-forwarded-for': entries.join(', ') });

  it('may be written with a port, as IPv6 and in brackets', async () => {
    const edge = await limitOf('1', '1');
    expect(await spend(edge, 1, from('192.0.2.2'))).toEqual([400]);
    expect(await spend(edge, 1, from('198.51.100.8', '[::ffff:192.0.2.2]:99'))).toEqual([429]);
    expect(await spend(edge, 1, from('192.0.2.2:4711'))).toEqual([429]);
  });

  it('is the entry before the last with two hops', async () => {
    const edge = await limitOf('1', '2');
    expect(await spend(edge, 1, from('203.0.113.1', '192.0.2.1', '10.0.0.1'))).toEqual([400]);
    expect(await spend(edge, 1, from('203.0.113.2', '192.0.2.1', '10.0.0.2'))).toEqual([429]);
    expect(await spend(edge, 1, from('192.0.2.1'))).toEqual([429]);
  });

  it('is the peer of the socket when the forwarded entry is no address', async () => {
    const edge = await limitOf('1', '1');
    expect(await spend(edge, 1, from('unknown'))).toEqual([400]);
    expect(await spend(edge, 1, from('another'))).toEqual([429]);
  });
});
