import type { Queryable } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { type AttemptRow, attemptsOf } from '../../payments/attempt-store.ts';
import { shownAttempt } from '../../payments/status.ts';
import { findTransaction, RECEIPT_FLAGS, type ReceiptRow, receiptsOf } from '../../payments/store.ts';
import { eventsOfTransaction } from '../../webhooks/store.ts';
import { asSeenBy, type Reader, type Rows } from './sight.ts';
import { auditOf, deliveryAttemptRows, deliveryRows, merchantName, notesOf } from './store.ts';
import { attemptEntries, deliveryEntry, inOrder, receiptEntry } from './timeline.ts';
import type { TimelineEntry } from './timeline-entry.ts';
import type { AttemptDetail, DeliveryDetail, ReceiptDetail, TransactionDetail } from './view.ts';

/**
 * Everything about one transaction, as `reader` may know it; null when there is none of this id, or when it is not
 * `owner`'s. With `owner` null, whose it is does not matter.
 */
export async function showTransaction(
  deps: Pick<Deps, 'db' | 'clock' | 'settings'>,
  id: string,
  owner: Id<'mer'> | null,
  reader: Reader,
): Promise<TransactionDetail | null> {
  const db = deps.db.read;
  const row = await findTransaction(db, id, owner);
  if (row === undefined) return null;
  const rows = {
    transaction: row,
    attempts: await attemptsOf(db, row.id),
    receipts: await receiptsOf(db, row.id),
  };
  const { transaction, attempts, receipts } = asSeenBy(reader, rows);
  const events = await eventsOfTransaction(db, row.id);
  const numbers = new Map(events.map((event) => [event.id, numberOrNull(event.sequence)]));
  const deliveries = await deliveryDetails(db, row.id, numbers, reader);
  const shown = {
    attempts: attempts.map((attempt) => attemptDetail(attempt, reader)),
    receipts: receipts.map((receipt) => receiptDetail(receipt, reader)),
    deliveries,
  };
  const timeline: TimelineEntry[] = [
    { at: Number(transaction.created_at), key: transaction.id, kind: 'created' },
    ...shown.attempts.flatMap(attemptEntries),
    ...shown.receipts.map(receiptEntry),
    ...heldEntry({ transaction, attempts, receipts }),
    ...events.map(
      (event): TimelineEntry => ({
        at: Number(event.created_at),
        key: event.id,
        kind: 'event',
        event: event.kind,
        number: numbers.get(event.id) ?? null,
      }),
    ),
    ...deliveries.map(deliveryEntry),
    ...(await peoplesEntries(db, { transaction, attempts, receipts }, deliveries, reader)),
  ];
  const paid = transaction.status === 'paid' || transaction.held === 1;
  return {
    transactionId: transaction.id,
    merchantId: transaction.merchant_id,
    merchantName: await merchantName(db, transaction.merchant_id),
    orderId: transaction.order_id,
    amountCents: Number(transaction.amount_cents),
    status: transaction.status,
    held: transaction.held === 1,
    method: paid ? transaction.paid_method : (shownAttempt(row, attempts)?.method ?? null),
    createdAt: Number(transaction.created_at),
    paidAt: numberOrNull(transaction.paid_at),
    storeDomain: transaction.store_domain,
    receivedCents: receipts.reduce((sum, receipt) => sum + Number(receipt.amount_cents), 0),
    now: deps.clock.now(),
    live: transaction.status === 'pending' || deliveries.some(({ state }) => state === 'due'),
    ...shown,
    attemptsKeptDays: deps.settings.deliveryAttemptDays,
    timeline: inOrder(timeline),
    customer: parsed(transaction.customer),
    shippingAddress: parsed(transaction.shipping_address),
    items: parsed(transaction.items),
    tracking: parsed(transaction.tracking),
  };
}

function numberOrNull(value: number | null): number | null {
  return value === null ? null : Number(value);
}

/** What init stored is of the shape that init validated; a person's erasure may have blanked it. */
function parsed<T>(json: string | null): T | null {
  return json === null ? null : (JSON.parse(json) as T);
}

function attemptDetail(row: AttemptRow, reader: Reader): AttemptDetail {
  return {
    attemptId: row.id,
    method: row.method,
    state: row.state,
    amountCents: Number(row.amount_cents),
    phoneNumber: row.phone_number,
    entity: row.entity,
    reference: row.reference,
    expiresAt: numberOrNull(row.expires_at),
    createdAt: Number(row.created_at),
    acceptedAt: numberOrNull(row.accepted_at),
    endedAt: numberOrNull(row.ended_at),
    endReason: row.end_reason,
    internal:
      reader === 'operator'
        ? { bankOrderId: row.bank_order_id, requestId: row.request_id, accountId: row.account_id }
        : null,
  };
}

function receiptDetail(row: ReceiptRow, reader: Reader): ReceiptDetail {
  return {
    receiptId: row.id,
    attemptId: row.attempt_id,
    method: row.method,
    amountCents: Number(row.amount_cents),
    paidAt: Number(row.paid_at),
    recordedAt: Number(row.recorded_at),
    flags: RECEIPT_FLAGS.filter((flag) => row[flag] === 1),
    settlement: row.settlement,
    settledAt: numberOrNull(row.settled_at),
    returnedCents: numberOrNull(row.returned_cents),
    internal:
      reader === 'operator'
        ? { requestId: row.request_id, bankOrderId: row.bank_order_id, accountId: row.account_id }
        : null,
  };
}

async function deliveryDetails(
  db: Queryable,
  id: Id<'tx'>,
  numbers: ReadonlyMap<string, number | null>,
  reader: Reader,
): Promise<DeliveryDetail[]> {
  const rows = await deliveryRows(db, id);
  const attempts = Map.groupBy(
    await deliveryAttemptRows(
      db,
      rows.map((row) => row.id),
    ),
    (attempt) => attempt.delivery_id,
  );
  return rows.map((row) => ({
    deliveryId: row.id,
    eventId: row.event_id,
    kind: row.kind,
    number: numbers.get(row.event_id) ?? null,
    state: row.state,
    origin: row.recovery_id !== null ? 'recovery' : row.lane_position === null ? 'resend' : 'event',
    createdAt: Number(row.created_at),
    finishedAt: numberOrNull(row.finished_at),
    nextAttemptAt: row.state === 'due' ? numberOrNull(row.next_attempt_at) : null,
    attemptsCount: row.attempts_count,
    attempts: (attempts.get(row.id) ?? []).map((attempt) => ({
      number: attempt.number,
      startedAt: Number(attempt.started_at),
      durationMs: attempt.duration_ms,
      status: attempt.status,
      error: attempt.error,
      errorDetail: reader === 'operator' ? attempt.error_detail : null,
    })),
  }));
}

/** A hold has no row of its own: it began with the receipt that would have made the transaction paid. */
function heldEntry({ transaction, receipts }: Rows): TimelineEntry[] {
  if (transaction.held === 0) return [];
  const paying = receipts.find(
    (receipt) => receipt.attempt_id === transaction.paid_attempt_id && receipt.under === 0,
  );
  if (paying === undefined) return [];
  return [{ at: Number(paying.recorded_at), key: `${transaction.id} held`, kind: 'held' }];
}

/** Shown to a merchant as well; whatever else people did is the operator's. */
const MERCHANTS_ACTIONS = new Set(['delivery.resent', 'transaction.credited']);

/** What people did and wrote. A merchant reads the names of its own people only, and no note that is internal. */
async function peoplesEntries(
  db: Queryable,
  { transaction, receipts }: Rows,
  deliveries: readonly DeliveryDetail[],
  reader: Reader,
): Promise<TimelineEntry[]> {
  const receiptIds = receipts.map((receipt) => receipt.id);
  const notes = await notesOf(db, receiptIds);
  const lines = await auditOf(db, [
    transaction.id,
    ...deliveries.map(({ deliveryId }) => deliveryId),
    ...receiptIds,
  ]);
  return [
    ...notes
      .filter((note) => reader === 'operator' || note.internal === 0)
      .map(
        (note): TimelineEntry => ({
          at: Number(note.at),
          key: note.id,
          kind: 'note',
          note: note.kind,
          text: note.text,
          author: reader === 'merchant' && note.by_operator === 1 ? null : note.actor,
        }),
      ),
    ...lines
      // What a note tells already is not told twice.
      .filter(({ action }) => !action.startsWith('receipt.'))
      .filter(({ action }) => reader === 'operator' || MERCHANTS_ACTIONS.has(action))
      .map(
        (line): TimelineEntry => ({
          at: Number(line.at),
          key: line.id,
          kind: 'action',
          action: line.action,
          author: reader === 'merchant' && line.operator !== 0 ? null : line.actor,
        }),
      ),
  ];
}
