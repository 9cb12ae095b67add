import type { Insertable } from 'kysely';
import type { DeliveryTable, EventKind } from '../../db/tables/tables.ts';
import type { Id } from '../../kernel/ids.ts';
import type { deliveriesOfEvents, lanesOfTransactions, MissedDelivery } from './store.ts';

type Sibling = Awaited<ReturnType<typeof deliveriesOfEvents>>[number];
type LaneState = Awaited<ReturnType<typeof lanesOfTransactions>>[number];

/** An event that its merchant never got and that nothing is about to bring. */
export interface Missed {
  eventId: Id<'evt'>;
  transactionId: Id<'tx'> | null;
  kind: EventKind;
  /** Its place among the transaction's events, from 1. */
  position: number | null;
  /** The place of the first event of the transaction that a recovery still delivers. */
  behind: number | null;
}

/** The events of these deliveries, each once, that were neither delivered since nor wait, nor were queued by this run. */
export function stillMissed(
  ended: readonly MissedDelivery[],
  siblings: readonly Sibling[],
  run: Id<'rcv'>,
): Missed[] {
  const byEvent = Map.groupBy(siblings, (sibling) => sibling.event_id);
  const events = new Map(ended.map((delivery) => [delivery.event_id, delivery]));
  return [...events.values()].flatMap((delivery) => {
    const own = byEvent.get(delivery.event_id) ?? [];
    const done = own.some(
      ({ state, recovery_id }) => state === 'delivered' || state === 'due' || recovery_id === run,
    );
    if (done) return [];
    return {
      eventId: delivery.event_id,
      transactionId: delivery.transaction_id,
      kind: delivery.kind,
      position: own.find(({ lane_position }) => lane_position !== null)?.lane_position ?? null,
      behind: null,
    };
  });
}

/** Those that are the latest event of their transaction. */
export function newestOnly(missed: readonly Missed[], lanes: readonly LaneState[]): Missed[] {
  const newest = new Map(lanes.map((lane) => [lane.transaction_id, lane.newest]));
  return missed.filter(
    ({ transactionId, position }) => transactionId !== null && newest.get(transactionId) === position,
  );
}

/** The deliveries that bring them: those of one transaction one after the other. */
export function recoveryDeliveries(
  missed: readonly Missed[],
  made: { run: Id<'rcv'>; merchantId: Id<'mer'>; now: number; newId: () => Id<'dlv'> },
): Insertable<DeliveryTable>[] {
  const first = new Map<Id<'tx'>, number>();
  for (const { transactionId, position, behind } of missed) {
    if (transactionId === null || position === null) continue;
    const known = first.get(transactionId) ?? behind ?? position;
    first.set(transactionId, Math.min(known, position));
  }
  return missed.map(({ eventId, transactionId, kind, position }) => {
    const head = transactionId === null ? undefined : first.get(transactionId);
    return {
      id: made.newId(),
      event_id: eventId,
      merchant_id: made.merchantId,
      transaction_id: transactionId,
      kind,
      state: 'due',
      lane_position: position,
      blocked: head !== undefined && position !== null && position > head ? 3 : 2,
      attempts_count: 0,
      next_attempt_at: made.now,
      claim_token: null,
      claimed_until: null,
      created_at: made.now,
      finished_at: null,
      recovery_id: made.run,
    };
  });
}
