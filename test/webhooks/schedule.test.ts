import { expect, test } from 'vitest';
import type { Id } from '../../src/kernel/ids.ts';
import { resendDelivery } from '../../src/webhooks/resend.ts';
import type { ResolvedAddress } from '../../src/webhooks/transport/resolve.ts';
import { type ReceiverHandler, startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { delivering, type Kit } from './kit.ts';

const fails: ReceiverHandler = (_request, response) => {
  response.writeHead(500).end('broken');
};

/** Resolves when the attempt of this number has its outcome. */
const ended = (kit: Kit, id: Id<'dlv'>, number: number) =>
  until(async () => {
    const delivery = await kit.delivery(id);
    return delivery.attempts_count === number && delivery.claim_token === null;
  }, `the end of attempt ${number}`);

test('four attempts are made 0, 200, 1000 and 5000 ms after the end of the previous one; then the delivery is undelivered', async () => {
  const { receiver, kit, shop } = await delivering(fails);
  const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
  for (const [index, waitMs] of [0, 200, 1000, 5000].entries()) {
    if (waitMs > 0) {
      await kit.clock.advance(waitMs - 1);
      expect(receiver.requests).toHaveLength(index);
      await kit.clock.advance(1);
    }
    await ended(kit, deliveryId, index + 1);
  }
  expect((await kit.delivery(deliveryId)).state).toBe('undelivered');
  const attempts = await kit.attempts(deliveryId);
  const start = attempts[0]?.started_at ?? 0;
  expect(attempts.map((attempt) => attempt.started_at - start)).toEqual([0, 200, 1200, 6200]);
  for (const attempt of attempts) {
    expect(attempt).toMatchObject({
      status: 500,
      response: 'broken',
      error: 'The endpoint answered 500, not a 2xx status.',
    });
  }
  await kit.clock.advance(60_000);
  expect(receiver.requests).toHaveLength(4);
});

test('the wait runs from the end of a slow attempt, and all attempts send the same bytes and delivery id', async () => {
  let answer = () => {};
  const { receiver, kit, shop } = await delivering((_request, response, count) => {
    answer = () => response.writeHead(count > 1 ? 200 : 503).end();
  });
  const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
  await until(() => receiver.requests.length === 1);
  await kit.clock.advance(3000);
  answer();
  await ended(kit, deliveryId, 1);
  expect((await kit.attempts(deliveryId))[0]?.duration_ms).toBe(3000);
  await kit.clock.advance(199);
  expect(receiver.requests).toHaveLength(1);
  await kit.clock.advance(1);
  await until(() => receiver.requests.length === 2);
  await kit.clock.jump(-1000);
  answer();
  await ended(kit, deliveryId, 2);
  expect((await kit.attempts(deliveryId))[1]?.duration_ms).toBe(0);
  const [first, second] = receiver.requests;
  expect((await kit.delivery(deliveryId)).state).toBe('delivered');
  expect(second?.body.equals(first?.body ?? Buffer.of())).toBe(true);
  expect(second?.headers['x-service-delivery-id']).toBe(first?.headers['x-service-delivery-id']);
  expect(second?.headers['x-service-signature']).toBe(first?.headers['x-service-signature']);
  expect(Number(second?.headers['webhook-timestamp'])).toBe(Number(first?.headers['webhook-timestamp']) + 3);
});

test.each([
  ['sends nothing', () => {}],
  [
    'drips its body',
    (_request, response) => {
      response.write('a');
      const timer = setInterval(() => response.write('b'), 2);
      response.on('close', () => clearInterval(timer));
    },
  ],
] satisfies [string, ReceiverHandler][])(
  'an endpoint that %s is cut off after 8 s',
  async (_what, handler) => {
    const { receiver, kit, shop } = await delivering(handler);
    const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
    await until(() => receiver.requests.length === 1);
    await kit.clock.advance(7999);
    expect((await kit.attempts(deliveryId))[0]?.duration_ms).toBe(null);
    await kit.clock.advance(1);
    await ended(kit, deliveryId, 1);
    expect((await kit.attempts(deliveryId))[0]).toMatchObject({
      duration_ms: 8000,
      error: 'The endpoint did not complete its answer within 8 seconds.',
    });
  },
);

test('an endpoint that is not connected after 8 s fails the attempt and receives nothing later', async () => {
  const answers: (() => void)[] = [];
  const resolve = () =>
    new Promise<ResolvedAddress[]>((found) => {
      answers.push(() => found([{ address: '127.0.0.1', family: 4 }]));
    });
  const { receiver, kit } = await delivering(undefined, { resolve });
  const shop = await kit.shop(`https://late.receiver.test:${receiver.port}/hook`);
  const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
  await until(() => answers.length === 1);
  await kit.clock.advance(8000);
  await ended(kit, deliveryId, 1);
  expect((await kit.attempts(deliveryId))[0]).toMatchObject({
    duration_ms: 8000,
    error: 'The endpoint did not complete its answer within 8 seconds.',
  });
  answers[0]?.();
  await until(() => receiver.connections === 1);
  await kit.clock.advance(200);
  await until(() => answers.length === 2);
  answers[1]?.();
  await ended(kit, deliveryId, 2);
  expect(receiver.requests).toHaveLength(1);
});

test('without URL or toggle the event is kept with a skipped delivery, which can be resent', async () => {
  const { receiver, kit } = await delivering();
  for (const shop of [await kit.shop(null), await kit.shop(receiver.url, false)]) {
    const { deliveryId, eventId } = await kit.announce(shop, await kit.payment(shop));
    await kit.reaches(deliveryId, 'skipped');
    expect(await kit.attempts(deliveryId)).toEqual([]);
    await kit.set(shop, { webhook_url: receiver.url, webhook_enabled: 1 });
    const again = await resendDelivery(kit.deps, deliveryId);
    expect(again.deliveryId).not.toBe(deliveryId);
    await kit.reaches(again.deliveryId, 'delivered');
    const request = receiver.requests.at(-1);
    expect(request?.headers['webhook-id']).toBe(eventId);
    expect(request?.headers['x-service-delivery-id']).toBe(again.deliveryId);
    expect((await kit.delivery(deliveryId)).state).toBe('skipped');
  }
});

test('URL and toggle are read at each attempt: a new URL gets the retry, a toggle turned off ends it', async () => {
  const second = await startReceiver(fails);
  const { kit, shop } = await delivering(fails);
  const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
  await ended(kit, deliveryId, 1);
  await kit.set(shop, { webhook_url: second.url });
  await kit.clock.advance(200);
  await ended(kit, deliveryId, 2);
  expect(second.requests).toHaveLength(1);
  await kit.set(shop, { webhook_enabled: 0 });
  await kit.clock.advance(1000);
  await kit.reaches(deliveryId, 'skipped');
  expect(second.requests).toHaveLength(1);
});
