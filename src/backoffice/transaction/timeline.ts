import type { Queryable } from '../../db/database.ts';
import type { AuditAction } from '../../db/tables/audit.ts';
import { type DeadReason, ENDINGS, type ReceiptNoteKind } from '../../db/tables/payments.ts';
import type { EventKind } from '../../db/tables/webhooks.ts';
import type { RefundRow } from '../../payments/refunds/store.ts';
import type { AttemptEnding } from '../../payments/transaction.ts';
import type { eventsOfTransaction } from '../../webhooks/store.ts';
import type { DeliveryLine } from '../webhook/deliveries.ts';
import type { AttemptDetail, ReceiptDetail } from './details.ts';
import type { Reader, Rows } from './redaction.ts';
import { auditOf, notesOf } from './store.ts';

/** One event of a transaction's history, which the page turns into a sentence. Instants in UTC milliseconds. */
export type TimelineEntry = { at: number; key: string } & (
  | { kind: 'created' }
  | ({ kind: 'attempt-begun' } & Pick<AttemptDetail, 'method' | 'phoneNumber'>)
  | ({ kind: 'attempt-accepted' } & Pick<AttemptDetail, 'method' | 'entity' | 'reference' | 'expiresAt'>)
  | { kind: 'attempt-unknown' }
  | { kind: 'attempt-ended'; ending: AttemptEnding; reason: DeadReason | null }
  | ({ kind: 'receipt' } & Pick<ReceiptDetail, 'amountCents' | 'paidAt' | 'flags'>)
  | { kind: 'held' }
  | { kind: 'refund'; amountCents: number; stage: 'requested' | 'done' | 'failed' }
  /** `author` is null when a merchant reads what an operator did. */
  | { kind: 'action'; action: AuditAction; author: string | null }
  | { kind: 'event'; event: EventKind; number: number | null }
  | ({ kind: 'delivery'; event: EventKind } & Pick<
      DeliveryLine,
      'state' | 'attemptsCount' | 'status' | 'error'
    >)
  | { kind: 'note'; note: ReceiptNoteKind; text: string; author: string | null }
);

/** The order of entries in the same millisecond: cause before effect. */
const RANKS: Record<TimelineEntry['kind'], number> = {
  created: 0,
  'attempt-begun': 1,
  'attempt-accepted': 2,
  'attempt-unknown': 3,
  'attempt-ended': 4,
  receipt: 5,
  held: 6,
  refund: 7,
  note: 8,
  action: 9,
  event: 10,
  delivery: 11,
};

export function inOrder(entries: readonly TimelineEntry[]): TimelineEntry[] {
  return entries.toSorted((a, b) => a.at - b.at || RANKS[a.kind] - RANKS[b.kind] || (a.key < b.key ? -1 : 1));
}

/** How an attempt ended without payment, even if it was paid later; null while it is live or when it was paid first. */
function endingOf(attempt: AttemptDetail): { ending: AttemptEnding; reason: DeadReason | null } | null {
  const { state, endReason } = attempt;
  const isOver = state === 'dead' || state === 'paid';
  const ending = ENDINGS.find((known) => known === (isOver ? endReason : state));
  if (ending !== undefined) return { ending, reason: null };
  if (!isOver || (state === 'paid' && endReason === null)) return null;
  return { ending: 'dead', reason: endReason as DeadReason | null };
}

/** The steps of one attempt. An ending without a recorded time is placed at the attempt's expiry. */
export function attemptEntries(attempt: AttemptDetail): TimelineEntry[] {
  const { attemptId, method, phoneNumber, entity, reference, createdAt, acceptedAt, expiresAt } = attempt;
  const entries: TimelineEntry[] = [
    { at: createdAt, key: `${attemptId} 1`, kind: 'attempt-begun', method, phoneNumber },
  ];
  if (acceptedAt !== null) {
    const accepted = { kind: 'attempt-accepted', method, entity, reference, expiresAt } as const;
    entries.push({ at: acceptedAt, key: `${attemptId} 2`, ...accepted });
  }
  if (attempt.state === 'unknown') {
    entries.push({ at: createdAt, key: `${attemptId} 3`, kind: 'attempt-unknown' });
  }
  const ended = endingOf(attempt);
  if (ended !== null) {
    const at = attempt.endedAt ?? expiresAt ?? createdAt;
    entries.push({ at, key: `${attemptId} 4`, kind: 'attempt-ended', ...ended });
  }
  return entries;
}

export function receiptEntry(receipt: ReceiptDetail): TimelineEntry {
  const { receiptId, recordedAt, amountCents, paidAt, flags } = receipt;
  return { at: recordedAt, key: receiptId, kind: 'receipt', amountCents, paidAt, flags };
}

export function eventEntry({
  id,
  created_at: at,
  kind: event,
  sequence: number,
}: Awaited<ReturnType<typeof eventsOfTransaction>>[number]): TimelineEntry {
  return { at, key: id, kind: 'event', event, number };
}

/** A delivery, at the time when it ended or began. */
export function deliveryEntry(delivery: DeliveryLine): TimelineEntry {
  const { deliveryId, kind: event, state, attemptsCount, status, error } = delivery;
  const at = delivery.finishedAt ?? delivery.createdAt;
  return { at, key: deliveryId, kind: 'delivery', event, state, attemptsCount, status, error };
}

/** The start of a hold: the receipt that would have made the transaction paid. */
export function heldEntry({ transaction, receipts }: Rows): TimelineEntry[] {
  if (transaction.held === 0) return [];
  const paying = receipts.find(
    (receipt) => receipt.attempt_id === transaction.paid_attempt_id && receipt.under === 0,
  );
  if (paying === undefined) return [];
  return [{ at: paying.recorded_at, key: `${transaction.id} held`, kind: 'held' }];
}

/** The request of a refund and its end; only the end if the refund was made elsewhere and recorded here. */
export function refundEntries(refund: RefundRow): TimelineEntry[] {
  const { id, amount_cents: amountCents, created_at: at, settled_at: settledAt, state } = refund;
  const requested: TimelineEntry = { at, key: `${id} 1`, kind: 'refund', amountCents, stage: 'requested' };
  if (settledAt === null) return [requested];
  const stage = state === 'done' ? 'done' : 'failed';
  const ended: TimelineEntry = { at: settledAt, key: `${id} 2`, kind: 'refund', amountCents, stage };
  return settledAt < at ? [ended] : [requested, ended];
}

const MERCHANT_ACTIONS = new Set(['delivery.resent', 'transaction.credited']);

/** Notes and actions of people. A merchant sees no internal notes and no names of operators. */
export async function peopleEntries(
  db: Queryable,
  { transaction, receipts }: Rows,
  deliveries: readonly DeliveryLine[],
  reader: Reader,
): Promise<TimelineEntry[]> {
  const isOperator = reader === 'operator';
  const receiptIds = receipts.map((receipt) => receipt.id);
  const deliveryIds = deliveries.map(({ deliveryId }) => deliveryId);
  const notes = await notesOf(db, receiptIds);
  const actions = await auditOf(db, [transaction.id, ...deliveryIds, ...receiptIds]);
  const noteEntries = notes
    .filter((note) => isOperator || note.internal === 0)
    .map((note): TimelineEntry => {
      const author = !isOperator && note.by_operator === 1 ? null : note.actor;
      return { at: note.at, key: note.id, kind: 'note', note: note.kind, text: note.text, author };
    });
  const actionEntries = actions
    // The notes already show actions on receipts.
    .filter(({ action }) => !action.startsWith('receipt.') && (isOperator || MERCHANT_ACTIONS.has(action)))
    .map(({ at, id, action, actor, operator }): TimelineEntry => {
      const author = !isOperator && operator !== 0 ? null : actor;
      return { at, key: id, kind: 'action', action, author };
    });
  return [...noteEntries, ...actionEntries];
}
