import type { Queryable } from '../../db/database.ts';
import type { Acquirer } from '../../kernel/acquirer.ts';
import type { Id } from '../../kernel/ids.ts';
import type { AttemptRow } from '../../payments/attempt-store.ts';
import { RECEIPT_FLAGS, type ReceiptRow } from '../../payments/store.ts';
import { attemptsOfDeliveries, deliveriesOfTransaction } from '../../webhooks/store.ts';
import type { Reader } from './redaction.ts';

export type AttemptDetail = ReturnType<typeof attemptDetail>;
export type ReceiptDetail = ReturnType<typeof receiptDetail>;
export type DeliveryDetail = Awaited<ReturnType<typeof deliveryDetails>>[number];

/** `event`: created with the event. `resend`: requested by a person. `recovery`: queued with others. */
export type DeliveryOrigin = 'event' | 'resend' | 'recovery';

/** The acquirer of each account that a transaction used. */
type Acquirers = ReadonlyMap<string, Acquirer>;

export function attemptDetail(row: AttemptRow, reader: Reader, acquirers: Acquirers) {
  return {
    acquirer: acquirers.get(row.account_id) ?? null,
    attemptId: row.id as string,
    method: row.method,
    state: row.state,
    amountCents: row.amount_cents,
    phoneNumber: row.phone_number,
    entity: row.entity,
    reference: row.reference,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    acceptedAt: row.accepted_at,
    endedAt: row.ended_at,
    endReason: row.end_reason,
    internal: internalIds(row, reader),
  };
}

export function receiptDetail(row: ReceiptRow, reader: Reader, acquirers: Acquirers) {
  return {
    acquirer: acquirers.get(row.account_id) ?? null,
    receiptId: row.id as string,
    attemptId: row.attempt_id,
    method: row.method,
    amountCents: row.amount_cents,
    /** The acquirer's fee, its payout, and the day of the payout, `YYYY-MM-DD`; null while unknown. */
    feeCents: row.fee_cents,
    netCents: row.net_cents,
    valueDate: row.value_date,
    /** The time of payment according to the bank. */
    paidAt: row.paid_at,
    recordedAt: row.recorded_at,
    flags: RECEIPT_FLAGS.filter((flag) => row[flag] === 1),
    settlement: row.settlement,
    settledAt: row.settled_at,
    returnedCents: row.returned_cents,
    internal: internalIds(row, reader),
  };
}

/** The ids at the bank, for operators only. */
function internalIds(
  row: Pick<AttemptRow | ReceiptRow, 'bank_order_id' | 'request_id' | 'account_id'>,
  reader: Reader,
) {
  if (reader === 'merchant') return null;
  return { bankOrderId: row.bank_order_id, requestId: row.request_id, accountId: row.account_id };
}

/** The deliveries of a transaction with their attempts, oldest first. */
export async function deliveryDetails(
  db: Queryable,
  id: Id<'tx'>,
  numbers: ReadonlyMap<string, number | null>,
  reader: Reader,
) {
  const rows = await deliveriesOfTransaction(db, id);
  const attempts = await attemptsOfDeliveries(db, rows);
  return rows.map((row) => ({
    deliveryId: row.id as string,
    eventId: row.event_id as string,
    kind: row.kind,
    /** The event's sequence number; null until it is assigned, shortly after the event. */
    number: numbers.get(row.event_id) ?? null,
    state: row.state,
    origin: originOf(row),
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    nextAttemptAt: row.state === 'due' ? row.next_attempt_at : null,
    /** Includes deleted attempts. */
    attemptsCount: row.attempts_count,
    attempts: (attempts.get(row.id) ?? []).map((attempt) => ({
      number: attempt.number,
      startedAt: attempt.started_at,
      durationMs: attempt.duration_ms,
      status: attempt.status,
      error: attempt.error,
      errorDetail: reader === 'operator' ? attempt.error_detail : null,
    })),
  }));
}

function originOf(row: { recovery_id: string | null; lane_position: number | null }): DeliveryOrigin {
  if (row.recovery_id !== null) return 'recovery';
  return row.lane_position === null ? 'resend' : 'event';
}
