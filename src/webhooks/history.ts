import type { Queryable } from '../db/database.ts';
import type { DeliveryState, EventKind } from '../db/tables.ts';
import { isoInstant } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import { attemptsOfDeliveries, deliveriesOfTransaction, eventsOfTransaction } from './store.ts';

/** Deliveries shown at most, the newest: resends have no bound. */
const DELIVERIES_MAX = 200;

/** What was told about a transaction, and what became of the telling. Instants as on the wire. */
export interface TransactionEvents {
  events: { id: Id<'evt'>; event: EventKind; createdAt: string }[];
  deliveries: {
    deliveryId: Id<'dlv'>;
    eventId: Id<'evt'>;
    event: EventKind;
    state: DeliveryState;
    attempts: {
      number: number;
      startedAt: string;
      durationMs: number | null;
      status: number | null;
      error: string | null;
    }[];
  }[];
}

/** A transaction's events, and its newest 200 deliveries with their attempts; all oldest first. */
export async function transactionEvents(db: Queryable, transactionId: Id<'tx'>): Promise<TransactionEvents> {
  const events = await eventsOfTransaction(db, transactionId);
  const deliveries = (await deliveriesOfTransaction(db, transactionId, DELIVERIES_MAX)).reverse();
  const ids = deliveries.map(({ id }) => id);
  const attempts = Map.groupBy(
    ids.length === 0 ? [] : await attemptsOfDeliveries(db, ids),
    (attempt) => attempt.delivery_id,
  );
  return {
    events: events.map((event) => ({
      id: event.id,
      event: event.kind,
      createdAt: isoInstant(Number(event.created_at)),
    })),
    deliveries: deliveries.map((delivery) => ({
      deliveryId: delivery.id,
      eventId: delivery.event_id,
      event: delivery.kind,
      state: delivery.state,
      attempts: (attempts.get(delivery.id) ?? []).map((attempt) => ({
        number: attempt.number,
        startedAt: isoInstant(Number(attempt.started_at)),
        durationMs: attempt.duration_ms,
        status: attempt.status,
        error: attempt.error,
      })),
    })),
  };
}
