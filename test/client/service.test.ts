import { afterAll, expect, test } from 'vitest';
import { createPaymentsClient } from '../../src/client/client.ts';
import { verifyWebhook } from '../../src/client/webhooks.ts';
import { ORDER, startService } from '../support/harness.ts';
import { openReceiver } from '../support/open-receiver.ts';
import { until } from '../support/until.ts';
import { thrown } from './support.ts';

const receiver = await openReceiver();
afterAll(() => receiver.close());
const service = await startService({ whenOver: afterAll, webhookCa: receiver.ca });

async function shop() {
  const { merchantId, apiKey, webhookSecret } = await service.merchant({ webhookUrl: receiver.url });
  const client = createPaymentsClient({ baseUrl: `${service.url}/api/v1`, apiKey });
  return { client, merchantId, webhookSecret };
}

test('a payment goes from init to a verified webhook by the client alone', async () => {
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

test('a reference, the methods and a refusal come as their types say', async () => {
  const { client } = await shop();
  const { transactionId } = await client.init(ORDER);
  const reference = await client.multibanco({ transactionId });
  expect(reference).toEqual({
    entity: expect.stringMatching(/^\d{5}$/),
    reference: expect.stringMatching(/^\d{9}$/),
    amount: 19.99,
    expiresAt: expect.stringMatching(/Z$/),
  });
  expect((await client.status({ transactionId })).mb?.reference).toBe(reference.reference);
  expect((await client.methods()).methods.map(({ id }) => id)).toEqual(['MBWAY', 'REFERENCE', 'CARD']);
  const error = await thrown(client.init({ ...ORDER, amount: -1, items: [] }));
  expect(error).toMatchObject({
    name: 'PaymentsError',
    status: 400,
    code: 'INVALID_FIELDS',
    fields: ['amount'],
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
});
