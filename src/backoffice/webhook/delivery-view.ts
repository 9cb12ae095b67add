import type { DeliveryState, EventKind } from '../../db/tables/tables.ts';
import type { Id } from '../../kernel/ids.ts';
import type { deliveryLog, lastAttempts } from './store.ts';

type Row = Awaited<ReturnType<typeof deliveryLog>>[number];
type Last = Awaited<ReturnType<typeof lastAttempts>>[number];

/** A delivery as its merchant sees it. Instants in UTC milliseconds. */
export interface DeliveryView {
  deliveryId: Id<'dlv'>;
  eventId: Id<'evt'>;
  /** The event's number among the merchant's; null until it has one, an instant after the event. */
  number: number | null;
  kind: EventKind;
  state: DeliveryState;
  transactionId: Id<'tx'> | null;
  attemptsCount: number;
  /** Whether a run of recovery made it. */
  recovery: boolean;
  createdAt: number;
  finishedAt: number | null;
  /** When the next attempt is due; null when none is. */
  nextAttemptAt: number | null;
}

/** Of the list: with how the newest attempt ended. */
export interface DeliveryLine extends DeliveryView {
  status: number | null;
  durationMs: number | null;
  error: string | null;
}

export function deliveryView(row: Row, number: number | null): DeliveryView {
  const due = row.state === 'due' && row.next_attempt_at !== null;
  return {
    deliveryId: row.id,
    eventId: row.event_id,
    number,
    kind: row.kind,
    state: row.state,
    transactionId: row.transaction_id,
    attemptsCount: row.attempts_count,
    recovery: row.recovery_id !== null,
    createdAt: Number(row.created_at),
    finishedAt: row.finished_at === null ? null : Number(row.finished_at),
    nextAttemptAt: due ? Number(row.next_attempt_at) : null,
  };
}

export function deliveryLine(row: Row, number: number | null, last: Last | undefined): DeliveryLine {
  return {
    ...deliveryView(row, number),
    status: last?.status ?? null,
    durationMs: last?.duration_ms ?? null,
    error: last?.error ?? null,
  };
}
