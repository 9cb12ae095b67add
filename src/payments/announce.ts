import type { Tx } from '../db/database.ts';
import type { EventKind, PaymentMethod } from '../db/tables/tables.ts';
import type { Deps } from '../deps.ts';
import { appendEvent } from '../webhooks/append.ts';
import { changeTransaction, type TransactionRow } from './store.ts';
import { countEnded, countPaid } from './totals.ts';

export type MoveDeps = Pick<Deps, 'clock' | 'ids' | 'wakeDispatcher'>;

const EVENT_OF = {
  paid: 'payment.success',
  failed: 'payment.failed',
  cancelled: 'payment.cancelled',
} as const satisfies Record<string, EventKind>;

/**
 * Moves a transaction to a new state, writes the one event of that change and counts it among the day's, in the
 * caller's unit. The only place where any of it happens. `method` is what the merchant reads in the event. Throws when the row is no longer what was read: the unit rolls back.
 */
export async function moveTransaction(
  tx: Tx,
  deps: MoveDeps,
  before: TransactionRow,
  to: keyof typeof EVENT_OF,
  method: PaymentMethod | null,
  changes: Partial<Pick<TransactionRow, 'paid_at' | 'paid_method' | 'paid_attempt_id'>> = {},
): Promise<void> {
  const position = before.events_count + 1;
  const moved = await changeTransaction(tx, before, {
    ...changes,
    status: to,
    held: 0,
    shown_attempt_id: null,
    deadline_at: null,
    events_count: position,
  });
  if (!moved) throw new Error(`transaction ${before.id} changed while it was being moved to ${to}`);
  const { createdAt } = await appendEvent(tx, deps, {
    merchantId: before.merchant_id,
    transactionId: before.id,
    kind: EVENT_OF[to],
    lanePosition: position,
    data: {
      id: before.id,
      externalOrderId: before.order_id,
      amount: before.amount_cents,
      paymentMethod: method,
      status: to,
      paidAt: changes.paid_at ?? null,
    },
  });
  if (before.status === 'pending') countEnded(tx, before, createdAt);
  if (to === 'paid' && method !== null) countPaid(tx, before, method, createdAt);
}
