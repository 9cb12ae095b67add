import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { rollKey } from '../../src/merchants/keys.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { listenToEvents, watched } from '../../src/webhooks/listen.ts';
import { openStream } from '../support/event-stream.ts';
import { call, startService, startWithMerchant } from '../support/harness.ts';
import { until } from '../support/until.ts';
import { announceMany, numberAll, webhookKit } from './kit.ts';
import { appendTestEvent } from './listen-kit.ts';

const service = await startService({ whenOver: afterAll });
const { deps } = service.app;

describe('access to streams', () => {
  test('a stream needs an API key and the method GET', async () => {
    const shop = await service.merchant();
    const url = `${service.url}/listen`;
    const authorization = `Bearer ${shop.apiKey}`;
    const outcome = async (init: RequestInit) => {
      const { status, body } = await call(url, init);
      return [status, body.code];
    };
    expect(await outcome({})).toEqual([401, 'UNAUTHORIZED']);
    expect(await outcome({ headers: { authorization: 'Bearer sk_wrong' } })).toEqual([401, 'UNAUTHORIZED']);
    expect(await outcome({ method: 'POST', headers: { authorization } })).toEqual([404, 'NOT_FOUND']);
    await setMerchant(deps, shop.merchantId, { active: false });
    expect(await outcome({ headers: { authorization } })).toEqual([403, 'ACCOUNT_INACTIVE']);
  });

  test('rolling a key or closing an account ends its streams before the next event', async () => {
    const [rolled, closed] = [await service.merchant(), await service.merchant()];
    const streams = [
      await openStream(service.url, rolled.apiKey),
      await openStream(service.url, closed.apiKey),
    ];
    await rollKey(deps, rolled.merchantId, { graceHours: 0 });
    await setMerchant(deps, closed.merchantId, { active: false });
    await appendTestEvent(deps, rolled);
    await appendTestEvent(deps, closed);
    for (const stream of streams) {
      await stream.ended;
      expect(stream.messages.map(({ event }) => event)).toEqual(['ready', 'end']);
      expect(stream.messages.at(-1)?.data).toBe('{"reason":"closed"}');
    }
  });

  test('a stop ends streams at once and does not wait for their clients', async () => {
    const { service: own, merchant: shop } = await startWithMerchant();
    const stream = await openStream(own.url, shop.apiKey);
    const startedAt = performance.now();
    await own.app.close();
    // A stop that waits for what runs gives up after 10 s.
    expect(performance.now() - startedAt).toBeLessThan(8000);
    await stream.ended;
    expect(stream.messages.at(-1)?.data).toBe('{"reason":"stopping"}');
  });

  test('a merchant has at most 5 streams and a process 50; a client that disconnects makes room', async () => {
    const own = await startService();
    const shops = await Promise.all(Array.from({ length: 10 }, () => own.merchant()));
    const opened = await Promise.all(
      shops.map(async ({ apiKey }) => {
        const streams = await Promise.all(Array.from({ length: 5 }, () => openStream(own.url, apiKey)));
        return { apiKey, streams };
      }),
    );
    expect(opened.flatMap(({ streams }) => streams.map(({ status }) => status))).toEqual(Array(50).fill(200));
    const [first, second] = opened;
    const attempt = async (apiKey = '') =>
      await call(`${own.url}/listen`, { headers: { authorization: `Bearer ${apiKey}` } });
    const newcomer = await own.merchant();
    const refused = await attempt(newcomer.apiKey);
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.body.error).toMatch(/^Too many streams are open\./);
    first?.streams[0]?.close();
    const isOpen = async () => (await openStream(own.url, newcomer.apiKey)).status === 200;
    await until(isOpen, 'room for another merchant');
    first?.streams[1]?.close();
    first?.streams[2]?.close();
    expect((await attempt(second?.apiKey)).status).toBe(429);
    const isOpenAgain = async () => (await openStream(own.url, first?.apiKey ?? '')).status === 200;
    await until(isOpenAgain, 'room for another stream');
  });

  test.each(['end', 'resetAndDestroy'] as const)(
    'a client that leaves before its stream begins (%s) takes no room and is no server error',
    async (leave) => {
      const shop = await service.merchant();
      const head = `GET /listen HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${shop.apiKey}\r\n\r\n`;
      const left = Array.from({ length: 5 }, async () => {
        const socket = connect(Number(new URL(service.url).port), '127.0.0.1').resume();
        socket.write(head, () => socket[leave]());
        await once(socket, 'close', { signal: AbortSignal.timeout(5000) });
      });
      await Promise.all(left);
      expect((await openStream(service.url, shop.apiKey)).status).toBe(200);
      expect(service.logged()).not.toContain('INTERNAL_ERROR');
    },
  );
});

describe('reading for a stream', () => {
  const { signal } = new AbortController();
  const isAllowed = async () => true;

  test('a client that reads nothing delays the reads of its stream', async () => {
    const kit = await webhookKit();
    const shop = await kit.shop(null);
    await announceMany(kit, shop, 25);
    await numberAll(kit);
    let reads = 0;
    const stream = listenToEvents(kit.deps, {
      merchantId: shop.id,
      after: 0,
      signal,
      isAllowed: async () => ++reads > 0,
    });
    for (let place = 0; place < 21; place++) await stream.next();
    await kit.clock.advance(60_000);
    expect(reads).toBe(1);
    expect((await stream.next()).value).toContain('"sequence":21');
    expect(reads).toBe(2);
  });

  test('a client that accepts nothing for 30 seconds is disconnected', async () => {
    const kit = await webhookKit();
    let stalled = 0;
    const listened = listenToEvents(kit.deps, { merchantId: 'mer_1', after: 0, isAllowed, signal });
    const stream = watched(kit.clock, listened, () => stalled++);
    await stream.next();
    await kit.clock.advance(29_000);
    expect(stalled).toBe(0);
    await kit.clock.advance(1000);
    expect(stalled).toBe(1);
  });

  test('an event that is not numbered yet is neither streamed nor skipped', async () => {
    const kit = await webhookKit();
    const shop = await kit.shop(null);
    const stream = listenToEvents(kit.deps, { merchantId: shop.id, after: 0, isAllowed, signal });
    await stream.next();
    await announceMany(kit, shop, 2);
    let isStreamed = false;
    const next = stream.next().finally(() => {
      isStreamed = true;
    });
    await kit.clock.advance(3000);
    expect(isStreamed).toBe(false);
    await numberAll(kit);
    await kit.clock.advance(1000);
    const values = [(await next).value, (await stream.next()).value];
    expect(values.map((value) => /^id: (\d)$/m.exec(value)?.[1])).toEqual(['1', '2']);
  });

  test('an idle stream sends a comment every 15 s', async () => {
    const kit = await webhookKit();
    const shop = await kit.shop(null);
    const stream = listenToEvents(kit.deps, { merchantId: shop.id, after: 0, isAllowed, signal });
    await stream.next();
    const next = stream.next();
    await kit.clock.advance(15_000);
    expect((await next).value).toBe(': beat\n\n');
  });
});
