import { createHmac } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { finishRotation, rotateWebhookSecret } from '../../src/merchants/rotate-secret.ts';
import { openStream } from '../support/event-stream.ts';
import { quickClock } from '../support/fake-clock.ts';
import { call, startService } from '../support/harness.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { appendTestEvent, rowsOf } from './listen-kit.ts';

const service = await startService({ whenOver: afterAll, clock: quickClock() });
const { deps } = service.app;

const legacy = (secret: string, body: string) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

describe('the messages of a stream', () => {
  test('a message has the bytes and headers of a delivery, is signed now, and changes no row', async () => {
    const receiver = await startReceiver();
    const own = await startService({ webhookCa: receiver.ca });
    const shop = await own.merchant({ webhookUrl: receiver.url });
    const stream = await openStream(own.url, shop.apiKey);
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(stream.headers.get('x-accel-buffering')).toBe('no');
    expect(stream.headers.get('x-request-id')).toMatch(/^req_/);

    await appendTestEvent(own.app.deps, shop);
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
    const tx = await shop.push('911000001');
    await stream.reaches(1);
    expect(stream.webhook(0)).toMatchObject({ event: 'payment.success', transactionId: tx });
    const isSkipped = async () => {
      const [delivery] = (await rowsOf(deps, shop.merchantId)).deliveries;
      return delivery?.state === 'skipped';
    };
    await until(isSkipped, 'the delivery to be skipped');
    const before = await rowsOf(deps, shop.merchantId);
    const again = await openStream(service.url, shop.apiKey, { query: '?replay=1' });
    await again.reaches(1);
    expect(again.webhook(0).body).toBe(stream.webhook(0).body);
    expect(again.webhook(0).headers['X-Service-Delivery-Id']).not.toBe(
      stream.webhook(0).headers['X-Service-Delivery-Id'],
    );
    expect(await rowsOf(deps, shop.merchantId)).toEqual(before);
  });

  test('during a rotation messages are signed like deliveries', async () => {
    const shop = await service.merchant();
    const { webhookSecret } = await rotateWebhookSecret(deps, shop.merchantId, { now: false });
    const stream = await openStream(service.url, shop.apiKey);
    await appendTestEvent(deps, shop);
    await stream.reaches(1);
    const first = stream.webhook(0);
    expect(first.headers['X-Service-Signature']).toBe(legacy(shop.webhookSecret, first.body));
    expect(first.headers['webhook-signature'].split(' ')).toHaveLength(2);
    await finishRotation(deps, shop.merchantId);
    await appendTestEvent(deps, shop);
    await stream.reaches(2);
    const second = stream.webhook(1);
    expect(second.headers['X-Service-Signature']).toBe(legacy(webhookSecret, second.body));
    expect(second.headers['webhook-signature'].split(' ')).toHaveLength(1);
  });

  test('a merchant receives no events of another merchant', async () => {
    const [one, other] = [await service.merchant(), await service.merchant()];
    const foreign = await appendTestEvent(deps, other);
    const stream = await openStream(service.url, one.apiKey);
    await appendTestEvent(deps, other);
    await appendTestEvent(deps, one);
    await stream.reaches(1);
    expect(stream.messages.map(({ event }) => event)).toEqual(['ready', 'webhook']);
    expect(stream.webhook(0).headers['webhook-id']).not.toBe(foreign);
  });
});

describe('the start of a stream', () => {
  test('a stream begins after a sequence number, with past events or with new ones, without gaps', async () => {
    const shop = await service.merchant();
    for (let count = 0; count < 45; count++) await appendTestEvent(deps, shop);
    const all = Array.from({ length: 45 }, (_, place) => place + 1);
    const numbered = async () =>
      (await rowsOf(deps, shop.merchantId)).events.every(({ sequence }) => sequence !== null);
    await until(numbered, 'all events to be numbered');
    const cases = [
      { headers: { 'last-event-id': '0' }, wanted: all },
      { headers: { 'last-event-id': '43' }, query: '?replay=20', wanted: [44, 45] },
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

  test('invalid parameters are refused with the member at fault', async () => {
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
  });
});
