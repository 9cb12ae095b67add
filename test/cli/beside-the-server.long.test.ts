import { join } from 'node:path';
import { expect, test } from 'vitest';
import { engine, temporaryFolder } from '../support/database.ts';
import { api, ORDER, startService } from '../support/harness.ts';
import { selectRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { jsonHere, operatorOf } from './support.ts';

test('changes by the command line take effect with the next call of the running server', async () => {
  const folder = temporaryFolder();
  const { url } = await startService({ folder });
  const operator = operatorOf(folder);
  // What is only set up runs in this process, which is faster.
  const made = await jsonHere(folder, 'merchant create --name Loja --domain shop.pt');
  const shop = api(url, made.apiKey);
  const id = made.merchantId;
  expect((await shop.post('/payments/init', ORDER)).status).toBe(200);

  await operator.json(['domain', 'remove', id, 'shop.pt']);
  expect((await shop.post('/payments/init', ORDER)).body.code).toBe('DOMAIN_NOT_ALLOWED');
  await operator.json(['domain', 'add', id, 'shop.pt']);
  expect((await shop.post('/payments/init', ORDER)).status).toBe(200);

  await operator.json(['merchant', 'set', id, '--active', 'false']);
  expect((await shop.post('/payments/init', ORDER)).body.code).toBe('ACCOUNT_INACTIVE');
  await jsonHere(folder, ['merchant', 'set', id, '--active', 'true']);

  const graced = await operator.json(['key', 'roll', id, '--grace-hours', '1']);
  expect((await shop.get('/payments/methods')).status).toBe(200);
  const rolled = await operator.json(['key', 'roll', id]);
  expect((await shop.get('/payments/methods')).status).toBe(401);
  expect((await api(url, graced.apiKey).get('/payments/methods')).status).toBe(401);
  expect((await api(url, rolled.apiKey).get('/payments/methods')).status).toBe(200);

  const leads = await jsonHere(folder, ['lead', 'list', '--merchant', id]);
  expect(leads).toMatchObject([{ email: 'ana@shop.pt', orders: 2, amountAsked: 39.98, items: ORDER.items }]);
});

test('the running server sends test events and resends; the callback is registered at the public address', async () => {
  const folder = temporaryFolder();
  const { app, sandboxUrl, url, merchant } = await startService({ folder });
  const sent = (id: `dlv_${string}`) =>
    until(
      async () => (await selectRows(app.deps.db, 'delivery_attempts', { delivery_id: id }))[0],
      `an attempt of ${id}`,
      2000,
    );
  const operator = operatorOf(folder);
  // Nothing listens there; the recorded attempt proves the delivery.
  const shop = await merchant({ webhookUrl: 'https://127.0.0.1:9/hook' });
  const set = (enabled: string) => ['merchant', 'set', shop.merchantId, '--webhook-enabled', enabled];
  await jsonHere(folder, set('false'), { SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true' });
  const { deliveryId } = await operator.json(['webhook', 'test', shop.merchantId]);
  expect(await sent(deliveryId)).toMatchObject({ number: 1 });
  const tx = await shop.pay();
  const shown = await until(async () => {
    const answer = await jsonHere(folder, ['transaction', 'show', tx]);
    return answer.deliveries[0]?.state === 'skipped' ? answer : null;
  }, 'the delivery to be skipped');
  await jsonHere(folder, set('true'));
  const resent = await operator.json(['webhook', 'resend', shown.deliveries[0].deliveryId]);
  expect(resent.deliveryId).not.toBe(shown.deliveries[0].deliveryId);
  expect(await sent(resent.deliveryId)).toMatchObject({ number: 1 });

  const env = { SERVICE_SANDBOX_URL: sandboxUrl, SERVICE_PUBLIC_URL: url };
  expect(await jsonHere(folder, 'bank register-callback', env)).toEqual({
    registered: `${url}/callbacks/ifthenpay`,
  });
  const backup = await operator.run(['backup', join(folder, 'copy.db'), '--json']);
  if (engine === 'sqlite') expect(JSON.parse(backup.stdout).bytes).toBeGreaterThan(0);
  else expect(backup).toMatchObject({ code: 1, stderr: expect.stringMatching(/pg_dump/) });
});
