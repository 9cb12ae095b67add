import type { Queryable } from '../db/database.ts';
import { countDue, oldestDueAt } from './delivery/due-store.ts';

const COUNTED_MAX = 10_001;

/** How much waits to be sent at `now`; `due` stops counting at 10,001. Deliveries in flight or between attempts are not due. */
export async function queueState(
  db: Queryable,
  now: number,
): Promise<{ due: number; oldestDueAgeMs: number | null }> {
  const oldest = await oldestDueAt(db, now);
  if (oldest === null) return { due: 0, oldestDueAgeMs: null };
  return { due: await countDue(db, now, COUNTED_MAX), oldestDueAgeMs: now - oldest };
}
