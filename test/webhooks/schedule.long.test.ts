import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { transactionEvents } from '../../src/webhooks/history.ts';
import { startService } from '../support/harness.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';

/** Timers never fire early; how late they fire is the machine's affair. */
const LATE_MAX_MS = 1500;

async function paidWith(handler: Parameters<typeof startReceiver>[0]) {
  const receiver = await startReceiver(handler);
  const service = await startService({ webhookCa: receiver.ca });
  const merchant = await service.merchant({ webhookUrl: receiver.url });
  const id = (await merchant.init()) as `tx_${string}`;
  await merchant.post('/payments/mbway', { transactionId: id, phoneNumber: '911000001' });
  await merchant.reaches(id, 'paid');
  const finished = await until(
    async () => {
      const { deliveries } = await transactionEvents(service.app.deps.db.read, id);
      return deliveries[0]?.state === 'due' ? null : deliveries[0];
    },
    'the delivery to end',
    60_000,
  );
  return { receiver, merchant, finished };
}

test('a failing receiver gets four attempts, 200 ms, 1 s and 5 s after the end of the one before, the same bytes, then none', async () => {
  const { receiver, merchant, finished } = await paidWith((_request, response) => {
    response.statusCode = 503;
    response.end('closed');
  });
  expect(finished.state).toBe('undelivered');
  expect(finished.attempts.map(({ number, status }) => [number, status])).toEqual([
    [1, 503],
    [2, 503],
    [3, 503],
    [4, 503],
  ]);
  const arrivals = receiver.requests.map((request) => request.at);
  expect(arrivals).toHaveLength(4);
  for (const [index, waitMs] of [200, 1000, 5000].entries()) {
    const gapMs = (arrivals[index + 1] ?? 0) - (arrivals[index] ?? 0);
    expect(gapMs).toBeGreaterThanOrEqual(waitMs);
    expect(gapMs).toBeLessThan(waitMs + LATE_MAX_MS);
  }
  const [first] = receiver.requests;
  for (const { body, headers } of receiver.requests) {
    expect(body).toEqual(first?.body);
    expect(headers['x-service-delivery-id']).toBe(first?.headers['x-service-delivery-id']);
    const hmac = createHmac('sha256', merchant.webhookSecret).update(body).digest('hex');
    expect(headers['x-service-signature']).toBe(`sha256=${hmac}`);
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const key = Buffer.from(merchant.webhookSecret.slice('whsec_'.length), 'base64');
    expect(headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    );
  }
});

test('a receiver that drips its answer is cut after 8 s, each time, and the delivery ends undelivered', async () => {
  const { finished } = await paidWith((_request, response) => {
    response.writeHead(200);
    const drip = setInterval(() => response.write('.'), 300);
    response.on('close', () => clearInterval(drip));
  });
  expect(finished.state).toBe('undelivered');
  expect(finished.attempts).toHaveLength(4);
  for (const attempt of finished.attempts) {
    expect(attempt.durationMs).toBeGreaterThanOrEqual(7900);
    expect(attempt.durationMs).toBeLessThan(8000 + LATE_MAX_MS);
  }
});
