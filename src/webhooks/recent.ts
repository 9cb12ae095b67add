import type { Queryable } from '../db/database.ts';
import type { DeliveryState, EventKind } from '../db/tables/webhooks.ts';
import type { Id } from '../kernel/ids.ts';
import { newestDeliveries } from './store.ts';

/** A delivery of any merchant, for the operator. Instants in UTC milliseconds. */
export interface RecentDelivery {
  deliveryId: Id<'dlv'>;
  eventId: Id<'evt'>;
  event: EventKind;
  /** The merchant's name. */
  shop: string;
  /** The host of the current webhook URL, whose path may contain a secret; null without a URL. */
  host: string | null;
  state: DeliveryState;
  createdAt: number;
  /** The exact bytes, UTF-8. */
  body: string;
  attempts: number;
  /** The status of the newest attempt; null while it runs, or when there is none. */
  status: number | null;
  durationMs: number | null;
  error: string | null;
}

/** Returns the newest deliveries of all merchants, newest first. */
export async function recentDeliveries(db: Queryable, limit: number): Promise<RecentDelivery[]> {
  const rows = await newestDeliveries(db, limit);
  return rows.map((row) => ({
    deliveryId: row.id,
    eventId: row.event_id,
    event: row.kind,
    shop: row.name,
    host: row.webhook_url === null ? null : new URL(row.webhook_url).host,
    state: row.state,
    createdAt: row.created_at,
    body: row.body,
    attempts: row.attempts_count,
    status: row.status,
    durationMs: row.duration_ms,
    error: row.error,
  }));
}
