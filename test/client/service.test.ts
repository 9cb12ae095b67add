import { afterAll, expect, test } from 'vitest';
import { createPaymentsClient } from '../../src/client/client.ts';
import { verifyWebhook } from '../../src/client/webhooks.ts';
import { ORDER, startService } from '../support/harness.ts';
import { openReceiver } from '../support/open-receiver.ts';
import { until } from '../support/until.ts';

const receiver = await openReceiver();
afterAll(() => receiver.close());
const service = await startService({ whenOver: afterAll, webhookCa: receiver.ca });

async function shop() {
  const { merchantId, apiKey, webhookSecret } = await service.merchant({ webhookUrl: receiver.url });
  const client = createPaymentsClient({ baseUrl: `${service.url}/api/v1`, apiKey });
  return { client, merchantId, webhookSecret };
}

test('the client creates a payment and verifies its webhook', async () => {
  const { client, webhookSecret } = await shop();
  const { transactionId, amount } = await client.init({ ...ORDER, orderId: 'CLIENT-1' });
  expect(amount).toBe(19.99);
  const { success } = await client.mbway({ transactionId, phoneNumber: '911000001' });
  expect(success).toBe(true);
  const delivered = await until(
    () => receiver.requests.find(({ body }) => body.includes(transactionId)),
    'the webhook',
  );
  const event = await verifyWebhook(delivered.body, delivered.headers, webhookSecret);
  expect(event).toMatchObject({
    event: 'payment.success',
    data: { id: transactionId, externalOrderId: 'CLIENT-1', paymentMethod: 'MBWAY' },
  });
  if (event.event !== 'payment.success') throw new Error(event.event);
  expect(await client.status({ transactionId })).toMatchObject({
    status: 'paid',
    paidAt: event.data.paidAt,
  });
});

test('the same key twice is one transaction; without one each call makes its own', async () => {
  const { client } = await shop();
  const options = { idempotencyKey: 'ORDER-7' };
  const [first, second] = await Promise.all([client.init(ORDER, options), client.init(ORDER, options)]);
  expect(second).toEqual(first);
  expect((await client.init(ORDER)).transactionId).not.toBe(first.transactionId);
});
