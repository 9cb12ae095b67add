import { afterAll, test } from 'vitest';
import { eraseLead } from '../../src/erasure/erase-lead.ts';
import { createErasureJob } from '../../src/erasure/job.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { startService } from '../support/harness.ts';
import { selectRow } from '../support/rows.ts';
import { until } from '../support/until.ts';

const service = await startService({ whenOver: afterAll });
const { deps } = service.app;

test('an erasure is repeated although the clock was 30 days ahead when it was repeated before', async () => {
  const merchant = await service.merchant();
  const customer = { name: 'Brites', email: 'brites@correio.pt' };
  const id = await merchant.init({ orderId: '1', amount: 1, customer });
  const { lead_id } = await selectRow(deps.db, 'transactions', { id });
  await eraseLead(deps, lead_id as Id<'led'>);
  const dueAt = async () => (await selectRow(deps.db, 'lead_erasures', { lead_id })).due_at ?? 0;
  /** Runs the job once with a clock that is `ms` ahead, until `isPlanned` accepts the time of the next step. */
  const repeat = async (ms: number, isPlanned: (at: number) => boolean) => {
    const clock = { ...deps.clock, now: () => deps.clock.now() + ms, after: () => () => {} };
    const job = createErasureJob({ ...deps, clock });
    job.start();
    await until(async () => isPlanned(await dueAt()), 'the next step');
    await job.stop();
  };
  await repeat(30 * DAY_MS, (at) => at > Date.now() + 29 * DAY_MS);
  await repeat(0, (at) => at < Date.now() + DAY_MS);
});
