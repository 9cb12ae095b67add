import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { listenRoute } from '../../src/http/listen.ts';
import { rollKey } from '../../src/merchants/roll-key.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { Listening, type ListenMessage } from '../../src/webhooks/listen/listen.ts';
import { dial, startEdge } from '../http/support.ts';
import { databaseUrl, temporaryFolder } from '../support/database.ts';
import { openStream } from '../support/event-stream.ts';
import { call, startService } from '../support/harness.ts';
import { until } from '../support/until.ts';
import { numberAll, webhookKit } from './kit.ts';
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

  test("a merchant's fifth stream ends its oldest one and no stream of another merchant", async () => {
    const [shop, other] = [await service.merchant(), await service.merchant()];
    const bystander = await openStream(service.url, other.apiKey);
    const streams = [];
    for (let count = 0; count < 5; count++) streams.push(await openStream(service.url, shop.apiKey));
    await streams[0]?.ended;
    expect(streams[0]?.messages.at(-1)?.data).toBe('{"reason":"replaced"}');
    await appendTestEvent(deps, shop);
    await appendTestEvent(deps, other);
    for (const stream of streams.slice(1)) await stream.reaches(1);
    await bystander.reaches(1);
    expect(streams[0]?.numbers()).toEqual([]);
  });

  test('a stop ends streams at once and does not wait for their clients', async () => {
    const own = await startService();
    const shop = await own.merchant();
    const stream = await openStream(own.url, shop.apiKey);
    const startedAt = performance.now();
    await own.app.close();
    // A stop that waits for what runs gives up after 10 s.
    expect(performance.now() - startedAt).toBeLessThan(8000);
    await stream.ended;
    expect(stream.messages.at(-1)?.data).toBe('{"reason":"stopping"}');
  });

  test('the end of a stream is logged without its query and key', async () => {
    const shop = await service.merchant();
    const eventId = await appendTestEvent(deps, shop);
    const stream = await openStream(service.url, shop.apiKey, { query: `?since=${eventId}` });
    await stream.reaches(1);
    stream.close();
    const lines = () =>
      service
        .logged()
        .split('\n')
        .filter((line) => line.includes(shop.merchantId));
    const line = await until(() => lines().find((text) => text.includes('event stream ended')), 'the line');
    expect(JSON.parse(line)).toMatchObject({ requestId: expect.stringMatching(/^req_/), events: 1 });
    expect(line).not.toContain(eventId);
  });

  test('a client that reads nothing is disconnected after 30 s, and no more events are read for it', async () => {
    const { deps: own, clock } = await webhookKit();
    let readCount = 0;
    async function* endless(): AsyncGenerator<ListenMessage> {
      const facts = { eventId: 'evt_1', event: 'webhook.test', createdAt: '', transactionId: null } as const;
      for (;;) {
        readCount++;
        yield {
          kind: 'event',
          event: { ...facts, sequence: readCount, headers: {}, body: 'x'.repeat(65_536) },
        };
      }
    }
    const edge = await startEdge({ plugins: [listenRoute({ deps: own, listening: { open: endless } })] });
    const { socket, closed, raw } = await dial(edge.port);
    socket.pause();
    socket.write(`GET /listen HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${edge.apiKey}\r\n\r\n`);
    let before = -1;
    let still = 0;
    await until(() => {
      still = readCount > 0 && readCount === before ? still + 1 : 0;
      before = readCount;
      return still > 20;
    }, 'the stream to stand still');
    // What the kernel's buffers hold on either side; not one more than fits.
    expect(readCount).toBeLessThan(400);
    await clock.advance(29_000);
    expect(readCount).toBe(before);
    await clock.advance(2000);
    socket.resume();
    await closed;
    expect(readCount).toBe(before);
    expect(raw()).toContain('event: webhook');
  });
});

describe('streams of one process', () => {
  const open = { isAllowed: async () => true, signal: new AbortController().signal };

  test('events that another process numbered are found within a second', async () => {
    const url = await databaseUrl(temporaryFolder(), onTestFinished);
    const [here, there] = [await openDatabase(url), await openDatabase(url)];
    onTestFinished(async () => void (await Promise.all([here.close(), there.close()])));
    const kit = await webhookKit({ db: here });
    const elsewhere = await webhookKit({ db: there });
    const shop = await kit.shop(null);
    const payment = await elsewhere.payment(shop);
    const listening = new Listening(kit.deps);
    onTestFinished(() => listening.close());
    const stream = listening.open({ ...open, merchantId: shop.id, after: 0 });
    const next = stream?.next();
    await elsewhere.announce(shop, payment);
    await numberAll(elsewhere);
    let message: ListenMessage | undefined;
    void next?.then(({ value }) => {
      message = value as ListenMessage;
    });
    await kit.clock.advance(900);
    expect(message).toBeUndefined();
    await kit.clock.advance(200);
    await until(() => message !== undefined, 'the event');
    expect(message).toMatchObject({ kind: 'event', event: { sequence: 1 } });
  });

  test('an idle stream sends a heartbeat every 15 s; the number of streams is limited; after a stop none opens', async () => {
    const kit = await webhookKit();
    const listening = new Listening(kit.deps);
    const shops = await Promise.all(Array.from({ length: 50 }, () => kit.shop(null)));
    const [first] = shops;
    const merchantId = first?.id ?? 'mer_none';
    const beating = listening.open({ ...open, merchantId, after: 0 });
    const next = beating?.next();
    await until(async () => {
      await kit.clock.advance(15_000);
      return (await Promise.race([next, Promise.resolve(null)])) !== null;
    }, 'the beat');
    expect(await next).toEqual({ done: false, value: { kind: 'heartbeat' } });
    for (const { id } of shops) {
      for (let count = id === merchantId ? 1 : 0; count < 4; count++) {
        expect(listening.open({ ...open, merchantId: id, after: 0 })).not.toBe(null);
      }
    }
    expect(listening.open({ ...open, merchantId, after: 0 })).toBe(null);
    listening.close();
    const late = listening.open({ ...open, merchantId, after: 0 });
    expect(await late?.next()).toEqual({ done: false, value: { kind: 'end', reason: 'stopping' } });
    expect(await late?.next()).toEqual({ done: true, value: undefined });
  });
});
