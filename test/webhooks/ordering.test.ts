import { expect, test } from 'vitest';
import { queueState } from '../../src/webhooks/delivery/due-store.ts';
import { resendDelivery } from '../../src/webhooks/resend.ts';
import { type Received, startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { announceMany, delivering, fourAttempts, webhookKit } from './kit.ts';

const kindOf = (request: Received) => request.headers['x-service-event'];

test('events of one transaction arrive in order, each after the previous one is delivered', async () => {
  const answers: (() => void)[] = [];
  const { receiver, kit, shop } = await delivering((_request, response) => {
    answers.push(() => response.end());
  });
  const payment = await kit.payment(shop);
  const cancelled = await kit.announce(shop, payment, 'payment.cancelled');
  const success = await kit.announce(shop, payment, 'payment.success');
  await until(() => receiver.requests.length === 1);
  await kit.clock.advance(2000);
  expect(receiver.requests.map(kindOf)).toEqual(['payment.cancelled']);
  expect(await kit.delivery(success.deliveryId)).toMatchObject({ blocked: 1, attempts_count: 0 });
  answers[0]?.();
  await until(() => receiver.requests.length === 2);
  expect((await kit.delivery(cancelled.deliveryId)).state).toBe('delivered');
  answers[1]?.();
  await kit.reaches(success.deliveryId, 'delivered');
  expect(receiver.requests.map(kindOf)).toEqual(['payment.cancelled', 'payment.success']);
});

test('an event waits for no resend of an earlier event of its transaction', async () => {
  const answers: (() => void)[] = [];
  const { receiver, kit, shop } = await delivering((_request, response) => {
    answers.push(() => response.end());
  });
  const payment = await kit.payment(shop);
  const { deliveryId } = await kit.announce(shop, payment, 'payment.cancelled');
  await until(() => receiver.requests.length === 1);
  await kit.announce(shop, payment, 'payment.success');
  await resendDelivery(kit.deps, deliveryId);
  await until(() => receiver.requests.length === 2);
  answers[0]?.();
  await until(() => receiver.requests.length === 3);
  expect(receiver.requests.map(kindOf)).toEqual([
    'payment.cancelled',
    'payment.cancelled',
    'payment.success',
  ]);
});

test('an undelivered or skipped event is followed by the next event of its transaction', async () => {
  const { kit, shop } = await delivering((request, response) => {
    response.writeHead(kindOf(request) === 'payment.success' ? 200 : 500).end();
  });
  const payment = await kit.payment(shop);
  const cancelled = await kit.announce(shop, payment, 'payment.cancelled');
  const success = await kit.announce(shop, payment, 'payment.success');
  await fourAttempts(kit, cancelled.deliveryId);
  await kit.reaches(success.deliveryId, 'delivered');
  expect((await kit.delivery(cancelled.deliveryId)).state).toBe('undelivered');

  const withoutEndpoint = await kit.shop(null);
  const other = await kit.payment(withoutEndpoint);
  await kit.announce(withoutEndpoint, other, 'payment.cancelled');
  const last = await kit.announce(withoutEndpoint, other, 'payment.success');
  await kit.reaches(last.deliveryId, 'skipped');
});

test('a backlog of many merchants is sent completely', async () => {
  const receiver = await startReceiver();
  const kit = await webhookKit();
  for (let i = 0; i < 40; i++) await announceMany(kit, await kit.shop(receiver.url), 7);
  kit.start({ ca: receiver.ca, inFlightMax: 40, perMerchantMax: 4 });
  await until(() => receiver.requests.length === 280);
  await until(async () => (await queueState(kit.db.read, kit.clock.now() + 60_000)).due === 0);
  expect(new Set(receiver.requests.map((request) => request.headers['x-service-delivery-id'])).size).toBe(
    280,
  );
});
