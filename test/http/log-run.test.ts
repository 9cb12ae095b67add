import { expect, test } from 'vitest';
import { bankCredentials } from '../support/bank-credentials.ts';
import { startService } from '../support/harness.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';

const TOKEN = 'metrics-token-4711';
const PHONE = '912345678';
const PERSON = {
  name: 'Briolanja Quintanilha',
  email: 'briolanja.q@correio.example',
  phone: '+351 967 123 456',
};
const ADDRESS = { line1: 'Travessa do Fala-So 7', city: 'Vila Nova', postalCode: '4400-111', country: 'PT' };

test('the log of a run contains no key, secret, phone number, e-mail address or customer', async () => {
  const receiver = await startReceiver((_request, response, count) => {
    response.statusCode = count === 1 ? 500 : 200;
    response.end(`${PERSON.email} ${PHONE}`);
  });
  const service = await startService({
    webhookCa: receiver.ca,
    env: { SERVICE_METRICS_TOKEN: TOKEN, SERVICE_LOG_LEVEL: 'trace' },
  });
  const merchant = await service.merchant({ webhookUrl: `${receiver.url}?secret=whsec_inTheUrl` });
  const { app, url } = service;
  const order = { customer: PERSON, shippingAddress: ADDRESS };

  const paid = await merchant.push(PHONE, order);
  await service.control('/mbway', { phoneNumber: PHONE, outcome: 'accept' });
  await merchant.reaches(paid, 'paid');
  await until(() => receiver.requests.length > 1, 'the webhook to be tried again');

  for (const mode of [
    'refuse',
    'error500',
    'garbage',
    'bad-key-callback',
    'wrong-amount-callback',
    'error500-inquiry',
  ]) {
    await service.control('/faults', { mode, times: 1 });
    const id = await merchant.push('911000001', order);
    await merchant.post('/payments/multibanco', { transactionId: id });
  }
  await merchant.trpc.payments.init.mutate({
    orderId: 'T',
    amount: 1,
    storeUrl: 'https://shop.pt',
    ...order,
  });
  await merchant.post('/payments/mbway', { transactionId: paid, phoneNumber: 351_912_345_678 });
  await merchant.post('/payments/init', `{"customer": {"email": "${PERSON.email}"`);
  await merchant.get(`/payments/status?transactionId=${PERSON.email}&phone=${PHONE}`);
  for (const path of [
    `/${merchant.apiKey}/${PERSON.email}`,
    `/callbacks/ifthenpay?key=${TOKEN}&orderId=${PHONE}`,
  ]) {
    await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${TOKEN}`, cookie: 'session=hidden-cookie' },
    });
  }
  const account = await bankCredentials(app.deps, merchant.merchantId);
  app.deps.log.error(new Error(`bank said ${JSON.stringify(account)}`), 'a line with credentials');
  await app.close();

  const log = service.logged();
  expect(log.split('\n').length).toBeGreaterThan(20);
  for (const line of log.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('time');
  const hidden = [
    ...[merchant.apiKey, merchant.webhookSecret, 'whsec_inTheUrl', TOKEN, 'hidden-cookie'],
    ...[PERSON.email, PERSON.name, PERSON.phone, PHONE, '911000001', ADDRESS.line1, ADDRESS.postalCode],
    ...Object.values(account),
  ];
  expect(hidden.length).toBe(16);
  for (const secret of hidden) expect(log).not.toContain(secret);
  expect(log).toContain(merchant.merchantId);
});
