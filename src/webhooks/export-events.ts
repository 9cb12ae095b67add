import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventKind } from '../db/tables/webhooks.ts';
import type { Deps } from '../deps.ts';
import { isoInstant } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import { eventsAfter } from './store.ts';

/** Events per query, and held in memory. */
const PAGE_MAX = 200;

/** An event with its sequence number and the exact text of its body. */
export interface ExportedEvent {
  sequence: number;
  id: Id<'evt'>;
  event: EventKind;
  createdAt: string;
  transactionId: Id<'tx'> | null;
  body: string;
}

/** Yields the merchant's events with a sequence number above `after`, in order and without gaps, up to `limit`. */
export async function* exportEvents(
  { db }: Pick<Deps, 'db'>,
  merchantId: Id<'mer'>,
  range: { after: number; limit?: number | undefined },
): AsyncGenerator<ExportedEvent> {
  let after = range.after;
  let left = range.limit ?? Number.POSITIVE_INFINITY;
  while (left > 0) {
    const limit = Math.min(PAGE_MAX, left);
    const page = await eventsAfter(db.read, merchantId, after, limit);
    for (const row of page) {
      after = Number(row.sequence);
      yield {
        sequence: after,
        id: row.id,
        event: row.kind,
        createdAt: isoInstant(row.created_at),
        transactionId: row.transaction_id,
        body: row.body,
      };
    }
    if (page.length < limit) return;
    left -= page.length;
    // Queries on SQLite do not yield: other requests are served between two pages.
    await nextTurn();
  }
}
