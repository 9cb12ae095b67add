import { expect, test } from 'vitest';
import { showTransaction } from '../../src/payments/show.ts';
import { transactionEvents } from '../../src/webhooks/history.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { startService } from '../support/harness.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';

const MINUTE = 60_000;

test('after the clock is set back by 15 minutes, payments are found and announced at once, and no duration is negative', async () => {
  let failures = 0;
  const receiver = await startReceiver((_request, response) => {
    if (failures-- > 0) response.writeHead(503);
    response.end();
  });
  const clock = fakeClock();
  const service = await startService({
    clock,
    webhookCa: receiver.ca,
    env: { SERVICE_MBWAY_WINDOW_SECONDS: '240', SERVICE_RECONCILE_SECONDS: '5' },
  });
  const merchant = await service.merchant({ webhookUrl: receiver.url });
  const push = async (phoneNumber: string) => {
    const id = await merchant.init();
    expect((await merchant.post('/payments/mbway', { transactionId: id, phoneNumber })).status).toBe(200);
    return id;
  };
  const open = await push('931112303');
  await clock.advance(10_000);

  await clock.jump(-15 * MINUTE);
  const before = clock.now();
  // The callback of the open push is lost, that of a new one comes; both are paid now.
  await service.control('/faults', { mode: 'drop-callback', times: 1 });
  await service.control('/mbway', { phoneNumber: '931112303', outcome: 'accept' });
  const fresh = await push('911000001');
  await clock.advanceUntil(
    1000,
    async () => (await merchant.status(fresh)).status === 'paid',
    'the new push',
  );
  await clock.advanceUntil(
    1000,
    async () => (await merchant.status(open)).status === 'paid',
    'the open push',
  );
  // Neither waited for the clock to catch up.
  expect(clock.now() - before).toBeLessThan(MINUTE);
  await until(() => receiver.requests.length === 2, 'the webhooks');

  // A retry that was planned before the clock was set back does not wait until that time comes again.
  failures = 1;
  const retried = await push('911000001');
  await clock.advanceUntil(1000, () => receiver.requests.length >= 3, 'the failing attempt');
  await clock.jump(-15 * MINUTE);
  const setAt = clock.now();
  await clock.advanceUntil(
    1000,
    async () => {
      if (receiver.requests.length < 4) await clock.advance(30_000);
      return receiver.requests.length >= 4;
    },
    'the retry',
  );
  expect(clock.now() - setAt).toBeLessThan(MINUTE);

  for (const id of [open, fresh, retried]) {
    const shown = await showTransaction(service.app.deps, id);
    expect(shown.receipts.map(({ flags }) => flags)).toEqual([[]]);
    const { events, deliveries } = await transactionEvents(service.app.deps.db.read, id as `tx_${string}`);
    expect(events.map(({ event }) => event)).toEqual(['payment.success']);
    for (const { attempts } of deliveries) {
      for (const { durationMs } of attempts) expect(durationMs ?? 0).toBeGreaterThanOrEqual(0);
    }
  }
});
