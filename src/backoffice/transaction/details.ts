import type { Acquirer } from '../../kernel/acquirer.ts';
import { RECEIPT_FLAGS } from '../../kernel/payment-enums.ts';
import type { AttemptRow } from '../../payments/attempt-store.ts';
import type { ReceiptRow } from '../../payments/store.ts';
import type { Reader } from './redaction.ts';

export type AttemptDetail = ReturnType<typeof attemptDetail>;
export type ReceiptDetail = ReturnType<typeof receiptDetail>;

type Acquirers = ReadonlyMap<string, Acquirer>;

export function attemptDetail(row: AttemptRow, reader: Reader, acquirers: Acquirers) {
  return {
    acquirer: acquirers.get(row.account_id) ?? null,
    attemptId: row.id as string,
    method: row.method,
    state: row.state,
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
    method: row.method,
    amountCents: row.amount_cents,
    /** The acquirer's fee, its payout, and the day of the payout, `YYYY-MM-DD`; null while unknown. */
    feeCents: row.fee_cents,
    netCents: row.net_cents,
    valueDate: row.value_date,
    paidAt: row.paid_at,
    recordedAt: row.recorded_at,
    flags: RECEIPT_FLAGS.filter((flag) => row[flag] === 1),
    settlement: row.settlement,
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
