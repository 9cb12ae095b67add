import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';
import { api, call } from '../support/harness.ts';
import { freePort, ready, run } from '../support/process.ts';
import { until } from '../support/until.ts';
import { operatorOf } from './support.ts';

/** A service and a sandbox bank, each in its own process. */
async function installation() {
  const folder = temporaryFolder();
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const [url, sandboxUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${sandboxPort}`];
  const env = {
    SERVICE_DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
    SERVICE_PORT: String(port),
    SERVICE_SANDBOX_PORT: String(sandboxPort),
    SERVICE_BANK_TIMEOUT_MS: '1000',
    SERVICE_RECONCILE_SECONDS: '1',
  };
  const sandbox = run('src/main.ts', ['sandbox'], env);
  await until(() => sandbox.out().includes(sandboxUrl), 'the sandbox');
  const start = async () => {
    const service = run('src/main.ts', [], { ...env, SERVICE_SANDBOX_URL: sandboxUrl });
    await ready(service, url);
    return service;
  };
  const control = (path: string, body: unknown) =>
    call(`${sandboxUrl}/control${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return { url, start, control, operator: operatorOf(folder) };
}

test('a service killed during a create call never sends a second push and records the money of the first', async () => {
  const { url, start, control, operator } = await installation();
  const first = await start();
  const { apiKey } = await operator.json('merchant create --name Shop --domain shop.pt');
  const merchant = api(url, apiKey);
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
