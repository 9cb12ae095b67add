import { createHmac } from 'node:crypto';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { listenRoute } from '../../src/http/listen.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { cents } from '../../src/kernel/money.ts';
import { finishRotation } from '../../src/merchants/finish-rotation.ts';
import { rollKey } from '../../src/merchants/roll-key.ts';
import { rotateWebhookSecret } from '../../src/merchants/rotate-secret.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { appendEvent } from '../../src/webhooks/append.ts';
import { createListening, type ListenMessage } from '../../src/webhooks/listen.ts';
import { startNumbering } from '../../src/webhooks/outbox/number.ts';
import { dial, startEdge } from '../edge/support.ts';
import { databaseUrl, temporaryFolder } from '../support/database.ts';
import { openStream } from '../support/event-stream.ts';
import { call, startService, type TestMerchant } from '../support/harness.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { webhookKit } from './kit.ts';

const folder = temporaryFolder(afterAll);
const service = await startService({ folder, whenOver: afterAll });
const { deps } = service.app;

/** An event without a transaction, written as any other is. */
async function tell({ merchantId }: Pick<TestMerchant, 'merchantId'>, by = deps): Promise<string> {
  const { eventId } = await by.db.unit((tx) =>
    appendEvent(tx, by, {
      merchantId,
      transactionId: null,
      kind: 'webhook.test',
      lanePosition: null,
      data: {
        id: 'tx_test_1',
        externalOrderId: 'Encomenda Nº 7 – 🧉',
        amount: cents(100),
        paymentMethod: null,
        status: 'pending',
        paidAt: null,
      },
    }),
  );
  return eventId;
}

const legacy = (secret: string, body: string) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** Every row that an event of this merchant could have changed. */
async function rowsOf(merchantId: Id<'mer'>) {
  const { read } = deps.db;
  const of = (table: 'events' | 'deliveries') =>
    read.selectFrom(table).selectAll().where('merchant_id', '=', merchantId).orderBy('id').execute();
  const attempts = read
    .selectFrom('delivery_attempts as a')
    .innerJoin('deliveries as d', 'd.id', 'a.delivery_id')
    .selectAll('a')
    .where('d.merchant_id', '=', merchantId);
  return {
    events: await of('events'),
    deliveries: await of('deliveries'),
    attempts: await attempts.execute(),
  };
}

describe('what a stream carries', () => {
  test('the bytes and headers that a delivery carries, signed at this moment, and it changes no row', async () => {
    const receiver = await startReceiver();
    const own = await startService({ webhookCa: receiver.ca });
    const shop = await own.merchant({ webhookUrl: receiver.url });
    const stream = await openStream(own.url, shop.apiKey);
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
    expect(stream.headers.get('x-request-id')).toMatch(/^req_/);

    await tell(shop, own.app.deps);
    await stream.reaches(1);
    await until(() => receiver.requests.length === 1, 'the delivery');
    const delivered = receiver.requests[0];
    const streamed = stream.webhook(0);
    expect(Buffer.from(streamed.body, 'utf8').equals(delivered?.body ?? Buffer.alloc(0))).toBe(true);
    expect(streamed.headers['X-Service-Signature']).toBe(legacy(shop.webhookSecret, streamed.body));
    const { rawHeaders = [] } = delivered ?? {};
    const names = rawHeaders.filter((_, place) => place % 2 === 0);
    for (const [name, value] of Object.entries(streamed.headers)) {
      expect(names).toContain(name);
      if (/timestamp|webhook-signature|Delivery-Id/.test(name)) continue;
      expect([name, delivered?.headers[name.toLowerCase()]]).toEqual([name, value]);
    }
    expect(streamed).toMatchObject({ sequence: 1, event: 'webhook.test', transactionId: null });
    expect(streamed.eventId).toBe(streamed.headers['webhook-id']);
    expect(streamed.headers['X-Service-Delivery-Id']).toMatch(/^dlv_listen_[0-9a-z]{26}$/);
    expect(streamed.headers['X-Service-Delivery-Id']).not.toBe(delivered?.headers['x-service-delivery-id']);
  });

  test('a merchant without a URL has its events numbered and streamed; streaming them again changes nothing', async () => {
    const shop = await service.merchant();
    const stream = await openStream(service.url, shop.apiKey);
    const tx = await shop.init();
    await shop.post('/payments/mbway', { transactionId: tx, phoneNumber: '911000001' });
    await stream.reaches(1);
    expect(stream.webhook(0)).toMatchObject({ event: 'payment.success', transactionId: tx });
    const isSkipped = async () => {
      const [delivery] = (await rowsOf(shop.merchantId)).deliveries;
      return delivery !== undefined && 'state' in delivery && delivery.state === 'skipped';
    };
    await until(isSkipped, 'the delivery to be skipped');
    const before = await rowsOf(shop.merchantId);
    const again = await openStream(service.url, shop.apiKey, { query: '?replay=1' });
    await again.reaches(1);
    expect(again.webhook(0).body).toBe(stream.webhook(0).body);
    expect(again.webhook(0).headers['X-Service-Delivery-Id']).not.toBe(
      stream.webhook(0).headers['X-Service-Delivery-Id'],
    );
    expect(await rowsOf(shop.merchantId)).toEqual(before);
  });

  test('during a rotation it signs by the rule of deliveries: the old secret, then both, then the new one alone', async () => {
    const shop = await service.merchant();
    const { webhookSecret } = await rotateWebhookSecret(deps, shop.merchantId, { now: false });
    const stream = await openStream(service.url, shop.apiKey);
    await tell(shop);
    await stream.reaches(1);
    const first = stream.webhook(0);
    expect(first.headers['X-Service-Signature']).toBe(legacy(shop.webhookSecret, first.body));
    expect(first.headers['webhook-signature'].split(' ')).toHaveLength(2);
    await finishRotation(deps, shop.merchantId);
    await tell(shop);
    await stream.reaches(2);
    const second = stream.webhook(1);
    expect(second.headers['X-Service-Signature']).toBe(legacy(webhookSecret, second.body));
    expect(second.headers['webhook-signature'].split(' ')).toHaveLength(1);
  });

  test('nobody receives the events of another merchant', async () => {
    const [one, other] = [await service.merchant(), await service.merchant()];
    const foreign = await tell(other);
    const stream = await openStream(service.url, one.apiKey);
    await tell(other);
    await tell(one);
    await stream.reaches(1);
    expect(stream.messages.map(({ event }) => event)).toEqual(['ready', 'webhook']);
    expect(stream.webhook(0).headers['webhook-id']).not.toBe(foreign);
    const since = await openStream(service.url, one.apiKey, { query: `?since=${foreign}` });
    expect(since.status).toBe(404);
  });
});

describe('where a stream begins', () => {
  test('after the number, at the event, with the last ones, or with what comes: without gaps and in order', async () => {
    const shop = await service.merchant();
    const ids: string[] = [];
    for (let count = 0; count < 45; count++) ids.push(await tell(shop));
    const all = Array.from({ length: 45 }, (_, place) => place + 1);
    const numbered = async () =>
      (await rowsOf(shop.merchantId)).events.every((row) => 'sequence' in row && row.sequence !== null);
    await until(numbered, 'all events to be numbered');
    const cases = [
      { headers: { 'last-event-id': '0' }, wanted: all },
      { headers: { 'last-event-id': '43' }, query: '?replay=20', wanted: [44, 45] },
      { query: `?since=${ids[39]}`, wanted: [40, 41, 42, 43, 44, 45] },
      { query: '?replay=3', wanted: [43, 44, 45] },
      { query: '?replay=1000', wanted: all },
      { wanted: [] },
      // As after a restore from a copy: the service has fewer events than this reader has seen.
      { headers: { 'last-event-id': '999999' }, wanted: [] },
    ];
    for (const { wanted, ...options } of cases) {
      const stream = await openStream(service.url, shop.apiKey, options);
      await until(() => stream.messages.length > wanted.length, 'the events');
      expect(stream.messages[0]).toMatchObject({ event: 'ready', id: String(45 - wanted.length) });
      expect(stream.numbers()).toEqual(wanted);
      stream.close();
    }
  });

  test('a stream that breaks and goes on by Last-Event-ID loses nothing and repeats nothing, whatever came meanwhile', async () => {
    const shop = await service.merchant();
    const seen: number[] = [];
    let lastEventId: string | null = null;
    for (let round = 0; round < 6; round++) {
      const stream = await openStream(service.url, shop.apiKey, {
        headers: lastEventId === null ? {} : { 'last-event-id': lastEventId },
      });
      await until(() => stream.messages.length > 0, 'the stream to be ready');
      await Promise.all([tell(shop), tell(shop), tell(shop)]);
      await until(() => stream.numbers().length > 0, 'an event');
      // Cut in the middle of whatever arrives.
      const taken = stream.messages.slice();
      stream.close();
      seen.push(
        ...taken.filter((one) => one.event === 'webhook').map((one) => JSON.parse(one.data).sequence),
      );
      lastEventId = taken.at(-1)?.id ?? lastEventId;
      await tell(shop);
    }
    const rest = await openStream(service.url, shop.apiKey, {
      headers: { 'last-event-id': lastEventId ?? '' },
    });
    await rest.reaches(24);
    expect([...seen, ...rest.numbers()]).toEqual(Array.from({ length: 24 }, (_, place) => place + 1));
  });

  test('a break before the first event loses nothing: ready carries the number to go on from', async () => {
    const shop = await service.merchant();
    const stream = await openStream(service.url, shop.apiKey);
    await until(() => stream.messages.length > 0, 'the stream to be ready');
    stream.close();
    await tell(shop);
    const again = await openStream(service.url, shop.apiKey, {
      headers: { 'last-event-id': stream.messages[0]?.id ?? 'none' },
    });
    await again.reaches(1);
  });

  test('what makes no sense is refused with the member at fault', async () => {
    const shop = await service.merchant();
    const authorization = `Bearer ${shop.apiKey}`;
    const refused = async (query: string, headers = {}) => {
      const { status, body } = await call(`${service.url}/listen${query}`, {
        headers: { authorization, ...headers },
      });
      return [status, body.code, body.fields];
    };
    for (const value of ['0', '1001', '-1', '1.5', 'all', '', '99999']) {
      expect(await refused(`?replay=${value}`)).toEqual([400, 'INVALID_FIELDS', ['replay']]);
    }
    expect(await refused('?replay=1&replay=2')).toEqual([400, 'INVALID_FIELDS', ['replay']]);
    expect(await refused('', { 'last-event-id': 'evt_1' })).toEqual([
      400,
      'INVALID_FIELDS',
      ['Last-Event-ID'],
    ]);
    expect(await refused('?since=evt_none')).toEqual([404, 'NOT_FOUND', undefined]);
  });
});

describe('who may listen, and how long', () => {
  test('the key is needed as under /api/v1: 401, 403, and nothing but GET', async () => {
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

  test('a key that is rolled, or an account that is closed, ends its streams before the next event', async () => {
    const [rolled, closed] = [await service.merchant(), await service.merchant()];
    const streams = [
      await openStream(service.url, rolled.apiKey),
      await openStream(service.url, closed.apiKey),
    ];
    await rollKey(deps, rolled.merchantId, { graceHours: 0 });
    await setMerchant(deps, closed.merchantId, { active: false });
    await tell(rolled);
    await tell(closed);
    for (const stream of streams) {
      await stream.ended;
      expect(stream.messages.map(({ event }) => event)).toEqual(['ready', 'end']);
      expect(stream.messages.at(-1)?.data).toBe('{"reason":"closed"}');
    }
  });

  test('the fifth stream of a merchant ends the oldest; those of others stay', async () => {
    const [shop, other] = [await service.merchant(), await service.merchant()];
    const bystander = await openStream(service.url, other.apiKey);
    const streams = [];
    for (let count = 0; count < 5; count++) streams.push(await openStream(service.url, shop.apiKey));
    await streams[0]?.ended;
    expect(streams[0]?.messages.at(-1)?.data).toBe('{"reason":"replaced"}');
    await tell(shop);
    await tell(other);
    for (const stream of streams.slice(1)) await stream.reaches(1);
    await bystander.reaches(1);
    expect(streams[0]?.numbers()).toEqual([]);
  });

  test('a stop ends the streams at once and does not wait for their readers', async () => {
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

  test('the log tells of a stream when it is over, without its query and its key', async () => {
    const shop = await service.merchant();
    const eventId = await tell(shop);
    const stream = await openStream(service.url, shop.apiKey, { query: `?since=${eventId}` });
    await stream.reaches(1);
    stream.close();
    const lines = () =>
      service
        .logged()
        .split('\n')
        .filter((line) => line.includes(shop.merchantId));
    const line = await until(
      () => lines().find((text) => text.includes('a stream of events ended')),
      'the line',
    );
    expect(JSON.parse(line)).toMatchObject({ requestId: expect.stringMatching(/^req_/), events: 1 });
    expect(line).not.toContain(eventId);
  });

  test('a reader that takes nothing is let go after 30 s, and what it has not read is not read for it', async () => {
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

describe('the streams of a process', () => {
  const open = { isAllowed: async () => true, signal: new AbortController().signal };

  test('events that another process wrote and numbered are found by one bounded query', async () => {
    const url = await databaseUrl(temporaryFolder(), onTestFinished);
    const [here, there] = [await openDatabase(url), await openDatabase(url)];
    onTestFinished(async () => void (await Promise.all([here.close(), there.close()])));
    const kit = await webhookKit({ db: here });
    const elsewhere = await webhookKit({ db: there });
    const shop = await kit.shop(null);
    const payment = await elsewhere.payment(shop);
    const listening = createListening(kit.deps);
    onTestFinished(() => listening.close());
    const stream = listening.open({ ...open, merchantId: shop.id, after: 0 });
    const next = stream?.next();
    await elsewhere.announce(shop, payment);
    await (await startNumbering(elsewhere.deps)).more;
    let told: ListenMessage | undefined;
    void next?.then(({ value }) => {
      told = value as ListenMessage;
    });
    await kit.clock.advance(900);
    expect(told).toBeUndefined();
    await kit.clock.advance(200);
    await until(() => told !== undefined, 'the event');
    expect(told).toMatchObject({ kind: 'event', event: { sequence: 1 } });
  });

  test('one that has nothing to tell beats every 15 s; the process has a limit; after a stop it opens none', async () => {
    const kit = await webhookKit();
    const listening = createListening(kit.deps);
    const shops = await Promise.all(Array.from({ length: 50 }, () => kit.shop(null)));
    const [first] = shops;
    const merchantId = first?.id ?? 'mer_none';
    const beating = listening.open({ ...open, merchantId, after: 0 });
    const next = beating?.next();
    await until(async () => {
      await kit.clock.advance(15_000);
      return (await Promise.race([next, Promise.resolve(null)])) !== null;
    }, 'the beat');
    expect(await next).toEqual({ done: false, value: { kind: 'beat' } });
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
