import type { Queryable } from '../../db/database.ts';
import type { Id } from '../../kernel/ids.ts';
import { countMissed, MISSED_LOOKED_AT_MAX } from './store.ts';

/** Events of payments that did not arrive and are not on their way. */
export interface Missed {
  events: number;
  /** The end of the oldest such delivery, in UTC milliseconds. */
  since: number;
  /** There are older deliveries that were not looked at. */
  more: boolean;
}

/** What the merchant's shop was not told of, for every page that says so; null when it knows all. */
export async function missedEvents(db: Queryable, merchantId: Id<'mer'>): Promise<Missed | null> {
  const { events, since, looked } = await countMissed(db, merchantId);
  return since === null ? null : { events, since, more: looked === MISSED_LOOKED_AT_MAX };
}
