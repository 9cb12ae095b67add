import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';
import { api, call } from '../support/harness.ts';
import { freePort, ready, run } from '../support/process.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { operatorOf } from './support.ts';

/** A service and a sandbox, each in its own process, and a merchant with a TLS receiver. */
async function installation() {
  const folder = temporaryFolder();
  const receiver = await startReceiver();
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, receiver.ca);
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const env = {
    SERVICE_DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
    SERVICE_PORT: String(port),
    SERVICE_SANDBOX_PORT: String(sandboxPort),
    SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    SERVICE_BANK_TIMEOUT_MS: '1000',
    SERVICE_RECONCILE_SECONDS: '1',
    NODE_EXTRA_CA_CERTS: ca,
  };
  const url = `http://127.0.0.1:${port}`;
  const sandbox = run('src/main.ts', ['sandbox'], env);
  await until(() => sandbox.out().includes(sandboxUrl), 'the sandbox');
  const start = async () => {
    const service = run('src/main.ts', [], { ...env, SERVICE_SANDBOX_URL: sandboxUrl });
    await ready(service, url);
    return service;
  };
  const operator = operatorOf(folder);
  const createMerchant = async () => {
    const create = `merchant create --name Shop --domain shop.pt --webhook-url ${receiver.url}`;
    const made = await operator.json(create, { env: { SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' } });
    return { ...made, ...api(url, made.apiKey) } as ReturnType<typeof api> & { webhookSecret: string };
  };
  const control = (path: string, body: unknown) =>
    call(`${sandboxUrl}/control${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return { start, createMerchant, control, receiver, operator };
}

test('a service killed before the customer accepts finds the money after its restart and sends a signed webhook', async () => {
  const { start, createMerchant, control, receiver, operator } = await installation();
  const first = await start();
  const merchant = await createMerchant();
  const id = await merchant.init();
  await merchant.post('/payments/mbway', { transactionId: id, phoneNumber: '931112228' });
  first.kill('SIGKILL');
  await first.ended;
  expect((await control('/mbway', { phoneNumber: '931112228', outcome: 'accept' })).status).toBe(200);
  await start();
  await merchant.reaches(id, 'paid');
  const delivery = await until(() => receiver.requests[0], 'the webhook');
  const hmac = createHmac('sha256', merchant.webhookSecret).update(delivery.body).digest('hex');
  expect(delivery.headers).toMatchObject({
    'content-type': 'application/json',
    'x-service-signature': `sha256=${hmac}`,
    'x-service-event': 'payment.success',
    'user-agent': 'Service-Webhook/1.0',
  });
  expect(JSON.parse(String(delivery.body))).toMatchObject({
    event: 'payment.success',
    data: { id, status: 'paid' },
  });
  const shown = await operator.json(['transaction', 'show', id]);
  expect(shown.events).toHaveLength(1);
  expect(shown.deliveries[0]).toMatchObject({ state: 'delivered', event: 'payment.success' });
});

test('a service killed during a create call never sends a second push and records the money of the first', async () => {
  const { start, createMerchant, control, operator } = await installation();
  const first = await start();
  const merchant = await createMerchant();
  await control('/faults', { mode: 'hang', times: 1 });
  const id = await merchant.init();
  const cut = merchant
    .post('/payments/mbway', { transactionId: id, phoneNumber: '931112229' })
    .catch(() => 'cut');
  await until(
    async () => (await control('/mbway', { phoneNumber: '931112229', outcome: 'accept' })).status === 200,
    'the push at the bank',
  );
  first.kill('SIGKILL');
  expect(await cut).toBe('cut');
  await start();
  await merchant.reaches(id, 'paid');
  const shown = await operator.json(['transaction', 'show', id]);
  expect(shown.attempts).toHaveLength(1);
  expect(shown.attempts[0].state).toBe('paid');
  expect(shown.receipts).toHaveLength(1);
});
