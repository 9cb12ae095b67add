import { expect, test } from 'vitest';
import { setBankAccount } from '../../src/banks/set-account.ts';
import { ORDER, startService } from '../support/harness.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';

test('the log of a whole run holds no key, secret, phone, e-mail, name or authorization, at the chattiest level', async () => {
  const receiver = await startReceiver((_request, response, count) => {
    response.statusCode = count === 1 ? 500 : 200;
    response.end();
  });
  const service = await startService({
    webhookCa: receiver.ca,
    env: { SERVICE_LOG_LEVEL: 'trace', SERVICE_MBWAY_WINDOW_SECONDS: '1', SERVICE_MBWAY_GRACE_SECONDS: '0' },
  });
  const merchant = await service.merchant({ webhookUrl: receiver.url });
  const credentials = {
    mbWayKey: 'QQQ-123321',
    mbKey: 'WWW-456654',
    backofficeKey: '5555-6666-7777-8888',
    antiPhishingKey: 'anti-phishing-secret-text',
  };
  await setBankAccount(service.app.deps, { merchantId: merchant.merchantId, credentials });
  const phones = ['911000001', '911000002', '911000003', '911000005', '911000008', '931112232'];
  const customer = { ...ORDER.customer, email: 'someone.private@mail.pt', phone: '+351 967 654 321' };
  for (const phoneNumber of phones) {
    const id = await merchant.init({ customer });
    await merchant.post('/payments/mbway', { transactionId: id, phoneNumber });
  }
  await merchant.post('/payments/init', { ...ORDER, customer: { email: 'not an address', name: 7 } });
  await merchant.get(`/payments/status?transactionId=x&phone=931112232&key=${merchant.apiKey}`);
  await merchant.get(`/unknown?mail=someone.private@mail.pt`);
  await fetch(`${service.url}/callbacks/ifthenpay?key=${credentials.antiPhishingKey}&orderId=x&requestId=y`);
  await fetch(`${service.url}/callbacks/ifthenpay?key=a-wrong-guess-of-the-key&orderId=x`);
  await service.control('/faults', { mode: 'garbage', times: 1 });
  await merchant.post('/payments/multibanco', { transactionId: await merchant.init({ customer }) });
  await until(() => receiver.requests.length > 2, 'webhooks');

  const log = service.logged();
  expect(log.split('\n').length).toBeGreaterThan(20);
  const secrets = [
    merchant.apiKey,
    merchant.webhookSecret,
    merchant.webhookSecret.slice('whsec_'.length),
    ...Object.values(credentials),
    ...phones,
    '967654321',
    '967 654 321',
    'someone.private',
    'Ana Silva',
    'Bearer ',
    'a-wrong-guess-of-the-key',
  ];
  for (const secret of secrets) expect(log.includes(secret), secret).toBe(false);
});
