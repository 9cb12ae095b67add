import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { showTransaction } from '../../src/payments/show.ts';
import { startWithMerchant } from '../support/harness.ts';

test('a bank fault during a create leaves a push unknown and a reference dead', async () => {
  const { service, merchant } = await startWithMerchant();
  const attempts = async (id: string) =>
    (await showTransaction(service.app.deps, id)).attempts.map((attempt) => attempt.state);
  for (const mode of ['refuse', 'error500', 'garbage', 'hang']) {
    await service.control('/faults', { mode, times: 1 });
    const pushed = await merchant.init();
    const push = await merchant.post('/payments/mbway', { transactionId: pushed, phoneNumber: '931112225' });
    expect([mode, push.status, push.body.code]).toEqual([mode, 502, 'BANK_OUTCOME_UNKNOWN']);
    expect([mode, await attempts(pushed)]).toEqual([mode, ['unknown']]);

    await service.control('/faults', { mode, times: 1 });
    const referred = await merchant.init();
    const failed = await merchant.post('/payments/multibanco', { transactionId: referred });
    expect([mode, failed.status, failed.body.code]).toEqual([mode, 502, 'BANK_UNAVAILABLE']);
    expect([mode, await attempts(referred)]).toEqual([mode, ['dead']]);
    const again = await merchant.post('/payments/multibanco', { transactionId: referred });
    expect([mode, again.status]).toEqual([mode, 200]);
  }
});

test('calls that wait for the same reference receive it and share one poll', async () => {
  let polls = 0;
  const after: Clock['after'] = (delayMs, task) => {
    if (delayMs === 25) polls += 1;
    return systemClock.after(delayMs, task);
  };
  const env = { SERVICE_BANK_TIMEOUT_MS: '3000' };
  const { service, merchant } = await startWithMerchant({ env, clock: { ...systemClock, after } });
  await service.control('/faults', { mode: 'hang', times: 1 });
  const transactionId = await merchant.init();
  const calls = Array.from({ length: 150 }, () => merchant.post('/payments/multibanco', { transactionId }));
  const answers = await Promise.all(calls);
  const given = answers.filter(({ status }) => status === 200);
  expect(given).toHaveLength(149);
  expect(new Set(given.map(({ body }) => body.reference)).size).toBe(1);
  expect(polls).toBeGreaterThan(0);
  expect(polls).toBeLessThan(500);
});
