import { join } from 'node:path';
import { expect, test } from 'vitest';
import { showTransaction } from '../../src/payments/show.ts';
import { transactionEvents } from '../../src/webhooks/history.ts';
import { GRACE_MS, sandbox, WINDOW_MS } from '../sandbox/support.ts';
import { temporaryFolder } from '../support/database.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { startService } from '../support/harness.ts';
import { freePort } from '../support/process.ts';
import { until } from '../support/until.ts';

const MINUTE = 60_000;
const PUSHES = 20;

test('while the bank is down for an hour, steps answer 502 and inquiries back off; after its recovery every payment is settled', async () => {
  const clock = fakeClock();
  const folder = temporaryFolder();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const openBank = () => sandbox({ clock, file: join(folder, 'bank.db'), port });
  let bank = await openBank();
  const service = await startService({
    clock,
    folder,
    env: {
      SERVICE_SANDBOX_URL: url,
      SERVICE_MBWAY_WINDOW_SECONDS: String(WINDOW_MS / 1000),
      SERVICE_MBWAY_GRACE_SECONDS: String(GRACE_MS / 1000),
      SERVICE_INQUIRY_SECONDS: '1',
      SERVICE_RECONCILE_SECONDS: '5',
    },
  });
  const merchant = await service.merchant();
  const push = async (transactionId: string, phoneNumber: string) => {
    const { status, body } = await merchant.post('/payments/mbway', { transactionId, phoneNumber });
    return [status, body.code];
  };
  const inquiries = async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    const counts = text.matchAll(/^pcs_bank_call_duration_seconds_count\{operation="inquire".*\} (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  /** A second at a time, with time for the sockets between. */
  const pass = async (ms: number) => {
    for (let gone = 0; gone < ms; gone += 1000) await clock.advance(1000);
  };

  // Half of the customers accept after the window, while the bank cannot be asked; the others never answer.
  const open: string[] = [];
  for (let i = 0; i < PUSHES; i++) {
    const id = await merchant.init();
    expect(await push(id, i % 2 === 0 ? '911000009' : '911000003')).toEqual([200, undefined]);
    open.push(id);
  }
  const { id: later, mb } = await merchant.reference();
  await pass(5000);

  await bank.close();
  const before = await inquiries();
  for (let tenMinutes = 0; tenMinutes < 6; tenMinutes++) {
    expect(await push(later, '911000001')).toEqual([502, 'BANK_UNAVAILABLE']);
    await pass(10 * MINUTE);
  }
  // Without back-off: 3600 for each. An unresponsive bank is asked after 1, 2, 4 … 60 s.
  const asked = (await inquiries()) - before;
  expect(asked).toBeGreaterThan(PUSHES * 30);
  expect(asked).toBeLessThan(PUSHES * 90);
  for (const id of open) expect((await merchant.status(id)).status).toBe('pending');

  bank = await openBank();
  expect(await push(later, '911000003')).toEqual([200, undefined]);
  await bank.post('/control/multibanco', mb);
  const backAt = clock.now();
  await until(
    async () => {
      await pass(5000);
      const states = await Promise.all(
        [...open, later].map(async (id) => (await merchant.status(id)).status),
      );
      return states.every((status) => status !== 'pending');
    },
    'everything to be settled',
    60_000,
  );
  // Attempts are asked about a minute later at the latest, the list a quarter of an hour.
  expect(clock.now() - backAt).toBeLessThan(17 * MINUTE);
  await pass(5 * MINUTE);
  for (const [i, id] of open.entries()) {
    const { transaction, attempts, receipts } = await showTransaction(service.app.deps, id);
    const paid = i % 2 === 0;
    expect([
      transaction.status,
      attempts.map(({ state }) => state),
      receipts.map(({ flags }) => flags),
    ]).toEqual(paid ? ['paid', ['paid'], [[]]] : ['cancelled', ['lapsed'], []]);
    const { events, deliveries } = await transactionEvents(service.app.deps.db.read, id as `tx_${string}`);
    expect(events).toHaveLength(1);
    expect(deliveries.map(({ state }) => state)).toEqual(['skipped']);
  }
  const shown = await showTransaction(service.app.deps, later);
  expect(shown.transaction.status).toBe('paid');
  const states = shown.attempts.map(({ state }) => state);
  expect(states.filter((state) => state === 'dead')).toHaveLength(6);
  expect(states.filter((state) => ['initiated', 'open', 'unknown'].includes(state))).toEqual([]);
});
