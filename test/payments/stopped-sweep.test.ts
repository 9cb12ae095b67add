import { expect, test } from 'vitest';
import { createDeadlines } from '../../src/payments/deadlines.ts';
import { selectRows } from '../support/rows.ts';
import { SETTINGS, setup } from './setup.ts';

test('a stop during a sweep over many deadlines waits for the current batch only', async () => {
  const { deps, init, clock } = await setup();
  await Promise.all(Array.from({ length: 450 }, init));
  const later = { ...clock, now: () => clock.now() + SETTINGS.pendingMs + 1 };
  const job = createDeadlines({ ...deps, clock: later });
  job.start();
  await job.stop();
  expect(await selectRows(deps.db, 'transactions', { status: 'cancelled' })).toHaveLength(200);
});
