import { expect, test } from 'vitest';
import { programs } from '../installation/programs.ts';
import { api, call } from '../support/harness.ts';
import { until } from '../support/until.ts';
import { operatorOf } from './support.ts';

test('a service killed during a create call never sends a second push and records the money of the first', async () => {
  const { folder, env, sandboxUrl, start } = await programs();
  const operator = operatorOf(folder);
  const control = (path: string, body: unknown) =>
    call(`${sandboxUrl}/control${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const first = await start();
  const { apiKey } = await operator.json('merchant create --name Shop --domain shop.pt', { env });
  const merchant = api(first.address, apiKey);
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
  const second = await start();
  await api(second.address, apiKey).reaches(id, 'paid');
  const shown = await operator.json(['transaction', 'show', id], { env });
  expect(shown.attempts).toHaveLength(1);
  expect(shown.attempts[0].state).toBe('paid');
  expect(shown.receipts).toHaveLength(1);
});
