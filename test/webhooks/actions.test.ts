import { expect, test } from 'vitest';
import { EVENT_PAYLOADS } from '../../src/webhooks/contract.ts';
import { transactionEvents } from '../../src/webhooks/history.ts';
import { resendDelivery } from '../../src/webhooks/resend.ts';
import { sendTestEvent } from '../../src/webhooks/test-event.ts';
import { until } from '../support/until.ts';
import { delivering } from './kit.ts';

test('a test event needs the URL, not the toggle', async () => {
  const { receiver, kit } = await delivering();
  const shop = await kit.shop(receiver.url, false);
  const { deliveryId } = await sendTestEvent(kit.deps, shop.id);
  await kit.reaches(deliveryId, 'delivered');
  const [request] = receiver.requests;
  const body = JSON.parse(request?.body.toString('utf8') ?? '');
  expect(request?.headers['x-service-event']).toBe('webhook.test');
  expect(EVENT_PAYLOADS['webhook.test'].safeParse(body).success).toBe(true);
  expect(body).toEqual({
    event: 'webhook.test',
    timestamp: new Date(kit.clock.now()).toISOString(),
    data: {
      id: expect.stringMatching(/^tx_test_/),
      externalOrderId: 'TEST',
      amount: 1,
      currency: 'EUR',
      paymentMethod: null,
      status: 'pending',
      paidAt: null,
    },
  });
});

test('the history shows events and deliveries with their attempts, oldest first', async () => {
  const { kit, shop } = await delivering((_request, response, count) => {
    response.writeHead(count === 1 ? 500 : 200).end();
  });
  const payment = await kit.payment(shop);
  const first = await kit.announce(shop, payment, 'payment.cancelled');
  await until(async () => (await kit.attempts(first.deliveryId))[0]?.duration_ms === 0);
  const at = new Date(kit.clock.now()).toISOString();
  await kit.clock.advance(200);
  await kit.reaches(first.deliveryId, 'delivered');
  const again = await resendDelivery(kit.deps, first.deliveryId);
  await kit.reaches(again.deliveryId, 'delivered');
  const later = new Date(kit.clock.now()).toISOString();
  expect(await transactionEvents(kit.db.read, payment.id)).toEqual({
    events: [{ id: first.eventId, event: 'payment.cancelled', createdAt: at, sequence: 1 }],
    deliveries: [
      {
        deliveryId: first.deliveryId,
        eventId: first.eventId,
        event: 'payment.cancelled',
        sequence: 1,
        state: 'delivered',
        recovery: false,
        attempts: [
          {
            number: 1,
            startedAt: at,
            durationMs: 0,
            status: 500,
            error: 'The endpoint answered 500, not a 2xx status.',
          },
          { number: 2, startedAt: later, durationMs: 0, status: 200, error: null },
        ],
      },
      {
        deliveryId: again.deliveryId,
        eventId: first.eventId,
        event: 'payment.cancelled',
        sequence: 1,
        state: 'delivered',
        recovery: false,
        attempts: [{ number: 1, startedAt: later, durationMs: 0, status: 200, error: null }],
      },
    ],
  });
  const none = await kit.payment(shop);
  expect(await transactionEvents(kit.db.read, none.id)).toEqual({ events: [], deliveries: [] });
});
