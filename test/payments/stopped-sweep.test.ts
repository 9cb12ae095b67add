import { expect, test } from 'vitest';
import { createDeadlines } from '../../src/payments/deadlines.ts';
import { SETTINGS, setup } from './setup.ts';

test('a stop during a sweep over many deadlines waits for the current batch only', async () => {
  const { deps, init, clock } = await setup();
  await Promise.all(Array.from({ length: 450 }, init));
  const later = { ...clock, now: () => clock.now() + SETTINGS.pendingMs + 1 };
  const job = createDeadlines({ ...deps, clock: later });
  job.start();
  await job.stop();
  const cancelled = await deps.db.read
    .selectFrom('transactions')
    .select('id')
    .where('status', '=', 'cancelled')
    .execute();
  expect(cancelled).toHaveLength(200);
});
