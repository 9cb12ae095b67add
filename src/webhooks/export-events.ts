import type { EventKind } from '../db/tables/tables.ts';
import type { Deps } from '../deps.ts';
import { isoInstant } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import { eventsAfter } from './store.ts';

/** What is read, and held, at a time. */
const PAGE_MAX = 200;

/** An event with its number among its merchant's and the exact text of what was sent. */
export interface ExportedEvent {
  sequence: number;
  id: Id<'evt'>;
  event: EventKind;
  createdAt: string;
  transactionId: Id<'tx'> | null;
  body: string;
}

/**
 * The merchant's events with a number above `after`, in its order and without a gap; all there are, or `limit`. Reads page by
 * page, as fast as they are taken.
 */
export async function* exportEvents(
  { db }: Pick<Deps, 'db'>,
  merchantId: Id<'mer'>,
  range: { after: number; limit?: number | undefined },
): AsyncGenerator<ExportedEvent> {
  let after = range.after;
  let left = range.limit ?? Number.POSITIVE_INFINITY;
  while (left > 0) {
    const asked = Math.min(PAGE_MAX, left);
    const page = await eventsAfter(db.read, merchantId, after, asked);
    for (const row of page) {
      after = Number(row.sequence);
      yield {
        sequence: after,
        id: row.id,
        event: row.kind,
        createdAt: isoInstant(Number(row.created_at)),
        transactionId: row.transaction_id,
        body: row.body,
      };
    }
    if (page.length < asked) return;
    left -= page.length;
  }
}
