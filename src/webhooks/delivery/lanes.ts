import type { Queryable } from '../../db/database.ts';
import { type Lane, nextDueAt } from './due-store.ts';
import { Picker } from './pick.ts';
import { type SlotLimits, Slots } from './slots.ts';

/** What a recovery may have in flight besides, as a part of what fresh events may: 64 attempts, 8 of one merchant. */
const RECOVERY_IN_FLIGHT = 1 / 16;
const RECOVERY_PER_MERCHANT = 1 / 4;

/** A queue with slots of its own. */
export interface SendLane {
  slots: Slots;
  picker: Picker;
}

export interface SendLanes {
  fresh: SendLane;
  recovery: SendLane;
}

/**
 * The two queues. A recovery has a few slots of its own and none of those of fresh events, so that no fresh event waits
 * behind it, however long it is, and it drains also while fresh events take all of theirs.
 */
export function createLanes(db: Queryable, limits: SlotLimits): SendLanes {
  const lane = (kind: Lane, own: SlotLimits): SendLane => {
    const slots = new Slots(own);
    return { slots, picker: new Picker(db, slots, kind) };
  };
  return {
    fresh: lane('fresh', limits),
    recovery: lane('recovery', {
      inFlightMax: Math.ceil(limits.inFlightMax * RECOVERY_IN_FLIGHT),
      perMerchantMax: Math.ceil(limits.perMerchantMax * RECOVERY_PER_MERCHANT),
    }),
  };
}

/** When the next delivery of either lane falls due after `now`; null when none will. */
export async function nextDueOfLanes(db: Queryable, now: number): Promise<number | null> {
  const fresh = await nextDueAt(db, now, 'fresh');
  const recovery = await nextDueAt(db, now, 'recovery');
  const next = Math.min(fresh ?? Number.POSITIVE_INFINITY, recovery ?? Number.POSITIVE_INFINITY);
  return Number.isFinite(next) ? next : null;
}
