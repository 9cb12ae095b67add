import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clientKey } from '../../src/http/rate-limit.ts';
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
  it('counts POSTs over either door, to any path, before the key, and refuses the one too many', async () => {
    const edge = await limitOf('4');
    const stranger = { authorization: 'Bearer sk_nobody' };
    const first = await post(edge, INIT, 'not json', stranger);
    expect(first.status).toBe(401);
    expect(first.headers.get('ratelimit-limit')).toBe('4');
    expect(first.headers.get('ratelimit-remaining')).toBe('3');
    expect(first.headers.get('ratelimit-reset')).toBe('60');
    expect((await post(edge, '/api/v1/nothing', '')).headers.get('ratelimit-remaining')).toBe('2');
    expect((await post(edge, '/trpc/payments.init', {})).headers.get('ratelimit-remaining')).toBe('1');
    expect((await post(edge, '/%61pi/v1/payments/init', {})).headers.get('ratelimit-remaining')).toBe('0');

    const refused = await post(edge, '/api/v1/nothing', '', stranger);
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
    expect(refused.headers.get('ratelimit-remaining')).toBe('0');
    const overTrpc = await post(edge, '/trpc/payments.init', {});
    expect([overTrpc.status, overTrpc.body.error.data.code]).toEqual([429, 'RATE_LIMITED']);
  });

  it('leaves everything but POSTs alone', async () => {
    const edge = await limitOf('1');
    await spend(edge, 2);
    for (let i = 0; i < 3; i++) {
      const answer = await send(edge, '/api/v1/payments/methods');
      expect([answer.status, answer.headers.get('ratelimit-limit')]).toEqual([200, null]);
      expect((await send(edge, '/trpc/payments.methods')).status).toBe(200);
      expect((await send(edge, INIT, { method: 'PUT' })).status).toBe(404);
    }
    expect((await post(edge, '/elsewhere', {})).status).toBe(404);
  });

  it('lasts one minute from the first counted POST, however often it is refused', async () => {
    const edge = await limitOf('2');
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
    expect(await spend(edge, 3)).toEqual([400, 400, 429]);
    vi.setSystemTime(1_059_500);
    const refused = await post(edge, INIT, {});
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    vi.setSystemTime(1_060_000);
    expect(await spend(edge, 3)).toEqual([400, 400, 429]);
  });

  it('counts what arrives at once exactly', async () => {
    const edge = await limitOf('5');
    const answers = await Promise.all(Array.from({ length: 12 }, () => post(edge, INIT, {})));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
  });

  it('is off at 0, without any header of it', async () => {
    const edge = await limitOf('0');
    expect(await spend(edge, 40)).toEqual(Array(40).fill(400));
    expect((await post(edge, INIT, {})).headers.get('ratelimit-limit')).toBeNull();
  });
});

describe('the client of the rate limit', () => {
  const from = (...entries: string[]) => ({ 'x-forwarded-for': entries.join(', ') });

  it('is the socket’s peer while no proxy is trusted, whatever it claims', async () => {
    const edge = await limitOf('1');
    expect(await spend(edge, 1, from('192.0.2.1'))).toEqual([400]);
    expect(await spend(edge, 1, from('192.0.2.2'))).toEqual([429]);
  });

  it('is what the nearest proxy wrote with one hop, and nothing that came before it', async () => {
    const edge = await limitOf('1', '1');
    expect(await spend(edge, 1, from('192.0.2.1'))).toEqual([400]);
    expect(await spend(edge, 1, from('192.0.2.2'))).toEqual([400]);
    expect(await spend(edge, 1, from('198.51.100.7', '192.0.2.2'))).toEqual([429]);
    expect(await spend(edge, 1, from('198.51.100.8', '[::ffff:192.0.2.2]:99'))).toEqual([429]);
  });

  it('is the entry before the last with two hops', async () => {
    const edge = await limitOf('1', '2');
    expect(await spend(edge, 1, from('203.0.113.1', '192.0.2.1', '10.0.0.1'))).toEqual([400]);
    expect(await spend(edge, 1, from('203.0.113.2', '192.0.2.1', '10.0.0.2'))).toEqual([429]);
    expect(await spend(edge, 1, from('192.0.2.1'))).toEqual([429]);
  });

  it('is the first entry from the right outside the trusted ranges', async () => {
    const edge = await limitOf('1', '127.0.0.0/8,10.0.0.0/8');
    expect(await spend(edge, 1, from('203.0.113.1', '192.0.2.1', '10.9.9.9'))).toEqual([400]);
    expect(await spend(edge, 1, from('203.0.113.2', '192.0.2.1', '10.1.1.1'))).toEqual([429]);
    expect(await spend(edge, 1, from('192.0.2.9'))).toEqual([400]);
  });

  it('is the socket’s peer when the trusted proxy wrote what is no address', async () => {
    const edge = await limitOf('1', '1');
    expect(await spend(edge, 1, from('unknown'))).toEqual([400]);
    expect(await spend(edge, 1, from('another'))).toEqual([429]);
  });

  it('is one for a whole /64, and for an IPv4 address in either spelling', () => {
    expect(clientKey('2001:db8:1:2::1')).toBe(clientKey('2001:db8:1:2:ffff::9'));
    expect(clientKey('2001:db8:1:2::1')).not.toBe(clientKey('2001:db8:1:3::1'));
    expect(clientKey('::ffff:192.0.2.1')).toBe(clientKey('192.0.2.1'));
    expect(clientKey('::ffff:c000:201')).toBe('192.0.2.1');
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        expect(clientKey(address)).toBe(clientKey(address.toUpperCase()));
      }),
    );
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(clientKey(`::ffff:${address}`)).toBe(address);
      }),
    );
  });
});
