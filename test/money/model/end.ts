import { expect } from 'vitest';
import type { SimBank } from './bank.ts';
import type { Checker } from './check.ts';
import type { ModelClock } from './clock.ts';
import type { World } from './world.ts';

/** The bank speaks, time passes: everything must come to its end, and every euro must be in the books. */
export async function bringToEnd(
  world: World,
  run: { readonly bank: SimBank; readonly clock: ModelClock; readonly checker: Checker },
): Promise<void> {
  Object.assign(run.bank, { silentInquiries: false, silentLists: false, unreadableRow: false });
  run.bank.hangingInquiries = 0;
  run.bank.release();
  const quarter = 16 * 60_000;
  for (const ms of [
    0,
    1000,
    ...Array(8).fill(quarter),
    5 * 86_400_000,
    ...Array(4).fill(quarter),
    90_000_000,
    1000,
  ]) {
    await run.clock.jump(ms, world.rest);
    await run.checker.check(world);
  }
  const { db } = world.deps;
  const attempts = await db.read.selectFrom('attempts').selectAll().execute();
  expect(attempts.filter(({ state }) => ['initiated', 'open', 'unknown'].includes(state))).toEqual([]);
  const pending = await db.read
    .selectFrom('transactions')
    .select(['id', 'held'])
    .where('status', '=', 'pending')
    .execute();
  expect(pending.filter(({ held }) => held === 0)).toEqual([]);
  const receipts = await db.read.selectFrom('receipts').select('identity').execute();
  expect(receipts.map(({ identity }) => identity).sort()).toEqual(
    run.bank.rows.map(({ identity }) => identity).sort(),
  );
}
