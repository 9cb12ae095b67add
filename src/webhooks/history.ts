import type { Queryable } from '../db/database.ts';
import { isoInstant } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import { attemptsOfDeliveries, deliveriesOfTransaction, eventsOfTransaction } from './store.ts';

/** Returns a transaction's events and its newest 200 deliveries with their attempts, all oldest first. Instants as on the wire. */
export async function transactionEvents(db: Queryable, transactionId: Id<'tx'>) {
  const events = await eventsOfTransaction(db, transactionId);
  const deliveries = await deliveriesOfTransaction(db, transactionId);
  const attempts = await attemptsOfDeliveries(db, deliveries);
  const sequences = new Map(events.map(({ id, sequence }) => [id, sequence]));
  return {
    events: events.map((event) => ({
      id: event.id,
      event: event.kind,
      createdAt: isoInstant(event.created_at),
      /** The event's number among the merchant's events; null for an instant after the event. */
      sequence: event.sequence,
    })),
    deliveries: deliveries.map((delivery) => ({
      deliveryId: delivery.id,
      eventId: delivery.event_id,
      event: delivery.kind,
      sequence: sequences.get(delivery.event_id) ?? null,
      state: delivery.state,
      /** Whether a manual or automatic recovery queued it. */
      recovery: delivery.recovery_id !== null,
      attempts: (attempts.get(delivery.id) ?? []).map((attempt) => ({
        number: attempt.number,
        startedAt: isoInstant(attempt.started_at),
        durationMs: attempt.duration_ms,
        status: attempt.status,
        error: attempt.error,
      })),
    })),
  };
}
