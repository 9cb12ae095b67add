import { createHmac } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { startService } from '../support/harness.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';

test('a push accepted on the phone page makes the transaction paid and delivers a signed webhook', async () => {
  const receiver = await startReceiver();
  const service = await startService({
    webhookCa: receiver.ca,
    env: { SERVICE_MBWAY_WINDOW_SECONDS: '60' },
  });
  const merchant = await service.merchant({ name: 'Loja da Ana', webhookUrl: receiver.url });
  const id = await merchant.init({ orderId: 'PEDIDO-7' });
  await merchant.post('/payments/mbway', { transactionId: id, phoneNumber: '931112230' });

  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ locale: 'pt-PT' });
  await page.goto(`${service.sandboxUrl}/`);
  const card = page.getByRole('article', { name: 'Loja da Ana PEDIDO-7' });
  await card.getByRole('button', { name: 'Aceitar' }).click();

  await merchant.reaches(id, 'paid');
  const webhook = await until(() => receiver.requests[0], 'the webhook');
  const hmac = createHmac('sha256', merchant.webhookSecret).update(webhook.body).digest('hex');
  expect(webhook.headers['x-service-signature']).toBe(`sha256=${hmac}`);
  expect(JSON.parse(String(webhook.body))).toMatchObject({
    event: 'payment.success',
    data: { id, externalOrderId: 'PEDIDO-7', amount: 19.99, paymentMethod: 'MBWAY', status: 'paid' },
  });

  const behind = page.getByRole('region', { name: 'Nos bastidores' });
  await behind.getByText('payment.success · Loja da Ana · PEDIDO-7').waitFor();
  await behind.getByText(`Entregue a 127.0.0.1:${receiver.port}: 200`).waitFor();
  await behind.getByText('MB WAY, 19,99 €').waitFor();
  await behind.getByText('Ver conteúdo').click();
  await behind.getByText(String(webhook.headers['x-service-delivery-id'])).waitFor();
});
