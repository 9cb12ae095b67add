import type { Deps } from '../../deps.ts';
import { ServiceError } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { lastNumbersOf, numberOfEvent } from './store.ts';

/** Past events that a stream may begin with. */
const REPLAY_MAX = 1000;

/** Where a stream begins, as requested; `lastEventId` wins over `since`, and `since` over `replay`. */
export interface ListenStart {
  lastEventId?: string | undefined;
  since?: string | undefined;
  replay?: string | undefined;
}

/**
 * Returns the sequence number after which a stream begins, by default that of the last event. Throws INVALID_FIELDS with the
 * member at fault, or NOT_FOUND when `since` is not an event of this merchant.
 */
export async function listenAfter(
  { db }: Pick<Deps, 'db'>,
  merchantId: Id<'mer'>,
  { lastEventId, since, replay }: ListenStart,
): Promise<number> {
  const last = (await lastNumbersOf(db.read, [merchantId])).get(merchantId) ?? 0;
  if (lastEventId !== undefined) {
    if (!/^\d{1,15}$/.test(lastEventId)) throw invalid('Last-Event-ID', 'is the number of an event');
    // A database restored from a backup may have fewer events.
    return Math.min(Number(lastEventId), last);
  }
  if (since !== undefined) {
    const number = await numberOfEvent(db.read, merchantId, since);
    if (number === undefined) {
      throw new ServiceError(
        'NOT_FOUND',
        'There is no such event. Give the id of one of your events: evt_…, the webhook-id of its delivery.',
      );
    }
    return number === null ? last : number - 1;
  }
  if (replay === undefined) return last;
  const count = /^\d{1,4}$/.test(replay) ? Number(replay) : 0;
  if (count < 1 || count > REPLAY_MAX) throw invalid('replay', `is a whole number from 1 to ${REPLAY_MAX}`);
  return Math.max(0, last - count);
}

function invalid(field: string, what: string): ServiceError {
  return new ServiceError('INVALID_FIELDS', `${field} ${what}.`, { fields: [field] });
}
