import type { Insertable } from 'kysely';
import type { DeliveryTable, EventKind } from '../../db/tables/webhooks.ts';
import type { Id } from '../../kernel/ids.ts';
import { BLOCKED } from '../store.ts';
import type { lockSiblings, MissedDelivery, transactionSequences } from './store.ts';

type Sibling = Awaited<ReturnType<typeof lockSiblings>>[number];
type Sequences = Awaited<ReturnType<typeof transactionSequences>>[number];

/** An event that was not delivered and has no delivery that is due. */
export interface Missed {
  eventId: Id<'evt'>;
  transactionId: Id<'tx'> | null;
  kind: EventKind;
  /** Its sequence among the transaction's events, from 1. */
  sequence: number | null;
  /** The sequences of its transaction; undefined without one. */
  ofTransaction: Sequences | undefined;
}

/** Returns the events of these deliveries that were neither delivered since, nor are due, nor were queued by this run. */
export function stillMissed(
  ended: readonly MissedDelivery[],
  siblings: readonly Sibling[],
  sequences: readonly Sequences[],
  run: Id<'rcv'> | null,
): Missed[] {
  const byEvent = Map.groupBy(siblings, (sibling) => sibling.event_id);
  const byTransaction = new Map(sequences.map((row) => [row.transaction_id, row]));
  const events = new Map(ended.map((delivery) => [delivery.event_id, delivery]));
  return [...events.values()].flatMap((delivery) => {
    const own = byEvent.get(delivery.event_id) ?? [];
    const isHandled = own.some(
      ({ state, recovery_id }) =>
        state === 'delivered' || state === 'due' || (run !== null && recovery_id === run),
    );
    if (isHandled) return [];
    return {
      eventId: delivery.event_id,
      transactionId: delivery.transaction_id,
      kind: delivery.kind,
      sequence: own.find(({ lane_position }) => lane_position !== null)?.lane_position ?? null,
      ofTransaction: byTransaction.get(delivery.transaction_id),
    };
  });
}

/** Returns the events in the order in which each first ended undelivered. */
export function oldestFirst(missed: readonly Missed[], siblings: readonly Sibling[]): Missed[] {
  const firstEnds = new Map<Id<'evt'>, number>();
  for (const { event_id, state, finished_at } of siblings) {
    const known = firstEnds.get(event_id) ?? Number.POSITIVE_INFINITY;
    if (state === 'undelivered') firstEnds.set(event_id, Math.min(known, finished_at ?? known));
  }
  const endOf = ({ eventId }: Missed) => firstEnds.get(eventId) ?? 0;
  return missed.toSorted((a, b) => endOf(a) - endOf(b));
}

/** Returns the events that are the latest of their transaction. */
export function latestOnly(missed: readonly Missed[]): Missed[] {
  return missed.filter(({ sequence, ofTransaction }) => ofTransaction?.newest === sequence);
}

/** Returns the events without a later, already delivered event of the same transaction. */
export function notSuperseded(missed: readonly Missed[]): Missed[] {
  return missed.filter(
    ({ sequence, ofTransaction }) => (ofTransaction?.delivered ?? 0) < (sequence ?? Number.POSITIVE_INFINITY),
  );
}

/** Whether a recovery still delivers a later event of the same transaction, so that the order could be reversed. */
export function isBehindLater({ sequence, ofTransaction }: Missed): boolean {
  return sequence !== null && (ofTransaction?.recovering ?? 0) > sequence;
}

/**
 * Returns the deliveries to insert. Those of one transaction are sent in order, after any that a recovery is already sending, even
 * of a later event.
 */
export function recoveryDeliveries(
  missed: readonly Missed[],
  given: { run: Id<'rcv'>; merchantId: Id<'mer'>; now: number; newId: () => Id<'dlv'> },
): Insertable<DeliveryTable>[] {
  const first = new Map<Id<'tx'>, number>();
  for (const { transactionId, sequence } of missed) {
    if (transactionId === null || sequence === null) continue;
    first.set(transactionId, Math.min(first.get(transactionId) ?? sequence, sequence));
  }
  return missed.map(({ eventId, transactionId, kind, sequence, ofTransaction }) => {
    const head = transactionId === null ? undefined : first.get(transactionId);
    const isRecovering = (ofTransaction?.recovering ?? null) !== null;
    const isBehind = head !== undefined && sequence !== null && (isRecovering || sequence > head);
    return {
      id: given.newId(),
      event_id: eventId,
      merchant_id: given.merchantId,
      transaction_id: transactionId,
      kind,
      state: 'due',
      lane_position: sequence,
      blocked: isBehind ? BLOCKED.recoveryBehindEarlier : BLOCKED.recoveryReady,
      attempts_count: 0,
      next_attempt_at: given.now,
      created_at: given.now,
      recovery_id: given.run,
    };
  });
}
