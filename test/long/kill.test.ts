import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { operatorOf } from '../cli/support.ts';
import { temporaryFolder } from '../support/database.ts';
import { api } from '../support/harness.ts';
import { freePort, ready, run } from '../support/process.ts';
import { until } from '../support/until.ts';

const ROUNDS = 4;
const CALLERS = 8;

test('killed at any moment under load, the service has every transaction that it acknowledged and settles every push', async () => {
  const folder = temporaryFolder();
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const env = {
    SERVICE_DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
    SERVICE_PORT: String(port),
    SERVICE_SANDBOX_PORT: String(sandboxPort),
    SERVICE_POST_RATE_LIMIT: '0',
    SERVICE_BANK_TIMEOUT_MS: '1000',
    SERVICE_RECONCILE_SECONDS: '1',
    SERVICE_MBWAY_WINDOW_SECONDS: '5',
    SERVICE_MBWAY_GRACE_SECONDS: '1',
  };
  const sandbox = run('src/main.ts', ['sandbox'], env);
  await until(() => sandbox.out().includes('TEST MONEY'), 'the sandbox');
  const operator = operatorOf(folder);
  const made = await operator.json(['merchant', 'create', '--name', 'Shop', '--domain', 'shop.pt']);
  const merchant = api(url, made.apiKey);
  const acknowledged: string[] = [];
  const pushed: string[] = [];

  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  const delays = fc.sample(fc.integer({ min: 20, max: 1500 }), { seed, numRuns: ROUNDS });
  for (const delayMs of delays) {
    const service = run('src/main.ts', [], {
      ...env,
      SERVICE_SANDBOX_URL: `http://127.0.0.1:${sandboxPort}`,
    });
    await ready(service, url);
    const killAt = Date.now() + delayMs;
    const callers = Array.from({ length: CALLERS }, async () => {
      while (service.child.exitCode === null && Date.now() < killAt + 1000) {
        const id = await merchant.init().catch(() => null);
        if (id === null) return;
        acknowledged.push(id);
        pushed.push(id);
        await merchant
          .post('/payments/mbway', { transactionId: id, phoneNumber: '911000001' })
          .catch(() => null);
      }
    });
    await until(() => Date.now() >= killAt, 'the moment');
    service.kill('SIGKILL');
    await Promise.all([...callers, service.ended]);
  }

  const last = run('src/main.ts', [], { ...env, SERVICE_SANDBOX_URL: `http://127.0.0.1:${sandboxPort}` });
  await ready(last, url);
  for (const id of acknowledged)
    expect((await merchant.get(`/payments/status?transactionId=${id}`)).status, `seed ${seed}`).toBe(200);
  await until(
    async () => {
      for (const id of pushed) {
        const body = await merchant.status(id);
        // A push that never left is dead, and its transaction waits for the merchant's next step.
        if (body.status === 'pending' && body.paymentMethod !== null) return false;
      }
      return true;
    },
    `every push to be settled (seed ${seed})`,
    60_000,
  );
  const receipts = await operator.json(['receipt', 'list', '--limit', '1000']);
  const paid = new Set(receipts.map((receipt: { transactionId: string }) => receipt.transactionId));
  expect(receipts.filter((receipt: { flags: string[] }) => receipt.flags.includes('unmatched'))).toEqual([]);
  for (const id of pushed) {
    const { status } = await merchant.status(id);
    if (paid.size < 1000) expect([id, status === 'paid']).toEqual([id, paid.has(id)]);
  }
});
