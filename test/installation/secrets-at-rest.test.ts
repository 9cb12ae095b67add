import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { setBankAccount } from '../../src/banks/set-account.ts';
import { jsonHere, runHere } from '../cli/support.ts';
import { bankCredentials } from '../support/bank-credentials.ts';
import { temporaryFolder } from '../support/database.ts';
import { ORDER, startService } from '../support/harness.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';

const CREDENTIALS = {
  mbWayKey: 'QQJ-471147',
  mbKey: 'ZZJ-825828',
  backofficeKey: '9182-7364-5546-3728',
  antiPhishingKey: 'Anti.Phishing.4711',
};

test('no API key, webhook secret or bank credential is readable in the database’s files', async () => {
  const receiver = await startReceiver((request, response, count) => {
    response.statusCode = count % 2 === 1 ? 500 : 200;
    response.end(JSON.stringify(request.headers));
  });
  const folder = temporaryFolder();
  const service = await startService({ folder, webhookCa: receiver.ca });
  const { deps } = service.app;
  const merchant = await service.merchant({ webhookUrl: receiver.url });
  await setBankAccount(deps, { merchantId: merchant.merchantId, credentials: CREDENTIALS });
  await runHere(folder, ['bank', 'register-callback'], { SERVICE_PUBLIC_URL: service.url });
  await service.merchant({ name: 'On the default account' });
  const standard = await bankCredentials(deps, 'mer_none');

  const paidByPush = await merchant.pay();
  await merchant.payReference();
  for (const mode of ['error500', 'garbage', 'refuse']) {
    await service.control('/faults', { mode, times: 1 });
    await merchant.push('930000001');
  }
  await merchant.post('/payments/init', ORDER, { 'idempotency-key': 'once' });
  const called = `orderId=FORGED&amount=1.00&requestId=r&status=${encodeURIComponent('[STATUS]')}`;
  for (const key of [CREDENTIALS.antiPhishingKey, standard.antiPhishingKey])
    await fetch(`${service.url}/callbacks/ifthenpay?key=${key}&KEY=${key}&${called}`);

  const rolled = await jsonHere(folder, ['key', 'roll', merchant.merchantId, '--grace-hours', '1']);
  const rotated = await jsonHere(folder, ['webhook', 'rotate', merchant.merchantId]);
  await jsonHere(folder, ['webhook', 'test', merchant.merchantId]);
  await until(
    () => receiver.requests.some(({ headers }) => headers['x-service-event'] === 'webhook.test'),
    'the test event',
  );
  await until(() => receiver.requests.length >= 4, 'the deliveries');

  const files = bytesOf(folder);
  await service.app.close();
  const afterwards = bytesOf(folder);
  const webhookSecrets = [merchant.webhookSecret, rotated.webhookSecret];
  const secrets = {
    apiKey: merchant.apiKey.slice(3),
    newApiKey: rolled.apiKey.slice(3),
    ...Object.fromEntries(
      webhookSecrets.flatMap(spellings).map((secret, index) => [`webhookSecret ${index}`, secret]),
    ),
    ...CREDENTIALS,
    defaultBackofficeKey: standard.backofficeKey,
    defaultAntiPhishingKey: standard.antiPhishingKey,
    secretKey: readFileSync(join(folder, 'secret.key')),
    secretKeyBytes: Buffer.from(readFileSync(join(folder, 'secret.key'), 'utf8'), 'base64'),
  };
  for (const bytes of [files, afterwards]) {
    // What is no secret is found: the search works.
    for (const plain of [merchant.merchantId, paidByPush, ORDER.customer.email, 'FORGED', '500'])
      expect([plain, bytes.includes(plain)]).toEqual([plain, true]);
    const found = Object.entries(secrets).filter(([, secret]) => bytes.includes(secret));
    expect(found.map(([name]) => name)).toEqual([]);
  }
});

/** The contents of the database file, the WAL and the other files of SQLite. */
function bytesOf(folder: string): Buffer {
  const names = readdirSync(folder).filter((name) => name.startsWith('service.db'));
  return Buffer.concat(names.map((name) => readFileSync(join(folder, name))));
}

/** A webhook secret as its base64, its bytes and their hexadecimal digits. */
function spellings(secret: string): (string | Buffer)[] {
  const text = secret.slice('whsec_'.length);
  const bytes = Buffer.from(text, 'base64');
  return [text, bytes, bytes.toString('hex')];
}
