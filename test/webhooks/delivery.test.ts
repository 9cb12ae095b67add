import { createHmac } from 'node:crypto';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { EVENT_PAYLOADS } from '../../src/webhooks/contract.ts';
import { sqliteFile } from '../support/database.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { delivering, webhookKit } from './kit.ts';

test('a delivery carries the exact headers and body, and both signatures verify', async () => {
  const { receiver, kit } = await delivering();
  const shop = await kit.shop(`${receiver.url}?token=a%20b`);
  const payment = await kit.payment(shop);
  const { eventId, deliveryId } = await kit.announce(shop, payment);
  await kit.reaches(deliveryId, 'delivered');

  const [request] = receiver.requests;
  if (!request) throw new Error('no request arrived');
  expect(request.method).toBe('POST');
  expect(request.path).toBe('/hook?token=a%20b');
  const now = new Date(kit.clock.now()).toISOString();
  const text = request.body.toString('utf8');
  expect(text).toBe(
    `{"event":"payment.success","timestamp":"${now}","data":{"id":"${payment.id}","externalOrderId":"order-1",` +
      `"amount":19.99,"currency":"EUR","paymentMethod":"MBWAY","status":"paid","paidAt":"${now}"}}`,
  );
  expect(EVENT_PAYLOADS['payment.success'].safeParse(JSON.parse(text)).success).toBe(true);

  const timestamp = String(Math.floor(kit.clock.now() / 1000));
  const key = Buffer.from(shop.secret.slice('whsec_'.length), 'base64');
  const {
    host,
    connection,
    'content-length': length,
    'accept-encoding': encoding,
    ...headers
  } = request.headers;
  expect({ host, connection, encoding, length }).toEqual({
    host: `127.0.0.1:${receiver.port}`,
    connection: 'keep-alive',
    encoding: 'identity',
    length: String(request.body.length),
  });
  expect(headers).toEqual({
    'content-type': 'application/json',
    'user-agent': 'Service-Webhook/1.0',
    'x-service-signature': `sha256=${createHmac('sha256', Buffer.from(shop.secret, 'utf8')).update(request.body).digest('hex')}`,
    'x-service-event': 'payment.success',
    'x-service-delivery-id': deliveryId,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${createHmac('sha256', key).update(`${eventId}.${timestamp}.${text}`).digest('base64')}`,
  });
  for (const name of [
    'Content-Type',
    'X-Service-Signature',
    'X-Service-Event',
    'X-Service-Delivery-Id',
    'User-Agent',
  ]) {
    expect(request.rawHeaders).toContain(name);
  }
});

test('an attempt is recorded with status, duration and the first 4 kB of the answer', async () => {
  const { kit, shop } = await delivering((_request, response) => {
    // PostgreSQL cannot store NUL in text.
    response.writeHead(201).end(`\0${'é'.repeat(3000)}`);
  });
  const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
  await kit.reaches(deliveryId, 'delivered');
  const attempts = await kit.attempts(deliveryId);
  expect(attempts).toHaveLength(1);
  expect(attempts[0]).toMatchObject({ number: 1, status: 201, error: null, duration_ms: 0 });
  expect(attempts[0]?.response).toBe(`\u{fffd}${'é'.repeat(2047)}\u{fffd}`);
});

test('a delivery is sent right after the commit', async () => {
  const { receiver, kit, shop } = await delivering(undefined, { clock: systemClock });
  // The first one opens the connection.
  const first = await kit.announce(shop, await kit.payment(shop));
  await kit.reaches(first.deliveryId, 'delivered');
  const waits: number[] = [];
  for (let i = 0; i < 9; i++) {
    const payment = await kit.payment(shop);
    await kit.announce(shop, payment);
    const committedAt = Date.now();
    await until(() => receiver.requests.length === i + 2);
    waits.push((receiver.requests.at(-1)?.at ?? 0) - committedAt);
  }
  waits.sort((a, b) => a - b);
  // Without the wake, the poll would take up to 500 ms.
  expect(waits[4]).toBeLessThan(200);
});

test('a delivery that another process inserted is sent within a second', async () => {
  const receiver = await startReceiver();
  const kit = await webhookKit();
  const shop = await kit.shop(receiver.url);
  const payment = await kit.payment(shop);
  kit.start({ ca: receiver.ca });
  const other = await webhookKit({ clock: kit.clock, db: kit.db });
  const { deliveryId } = await other.announce(shop, payment);
  // The first wait begins when the poll of the start has ended, which may be after the first step.
  for (let step = 0; step < 2; step++) await kit.clock.advance(500);
  await kit.reaches(deliveryId, 'delivered');
});

test('stopping lets an attempt in flight end and writes its outcome', async () => {
  let answer = () => {};
  const { receiver, kit, dispatcher, shop } = await delivering(
    (_request, response) => {
      answer = () => response.end('ok');
    },
    { clock: systemClock, stopGraceMs: 8000 },
  );
  const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
  await until(() => receiver.requests.length === 1);
  const stopped = dispatcher.stop();
  const late = await kit.announce(shop, await kit.payment(shop));
  answer();
  await stopped;
  expect((await kit.delivery(deliveryId)).state).toBe('delivered');
  expect(await kit.delivery(late.deliveryId)).toMatchObject({ state: 'due', attempts_count: 0 });
});

test('a claim that fails delays the delivery and loses nothing', async () => {
  const { file, db } = await sqliteFile();
  const receiver = await startReceiver();
  const kit = await webhookKit({ db });
  const shop = await kit.shop(receiver.url);
  const handle = new Sqlite(file);
  handle.exec(
    `create trigger refuse before insert on delivery_attempts begin select raise(abort, 'refused'); end`,
  );
  const dispatcher = kit.start({ ca: receiver.ca });
  const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
  await kit.clock.advance(1000);
  const before = await kit.delivery(deliveryId);
  expect(before).toMatchObject({ state: 'due', attempts_count: 0, claim_token: null });
  handle.exec('drop trigger refuse');
  handle.close();
  await kit.clock.advanceUntil(500, async () => (await kit.delivery(deliveryId)).state === 'delivered');
  expect(receiver.requests).toHaveLength(1);
  await dispatcher.stop();
});
