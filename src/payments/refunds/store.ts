import { type Insertable, type Selectable, sql } from 'kysely';
import type { Queryable, Tx } from '../../db/database.ts';
import { ofMerchant } from '../../db/of-merchant.ts';
import { hasRowLocks } from '../../db/row-locks.ts';
import type { RefundHistoryTable, RefundState, RefundTable } from '../../db/tables/refunds.ts';
import type { Deps } from '../../deps.ts';
import { SERVICE } from '../../kernel/actor.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Cents } from '../../kernel/money.ts';
import type { ReceiptKey, ReceiptRow } from '../store.ts';
import { IN_FLIGHT } from './refund.ts';

export type RefundRow = Selectable<RefundTable>;
/** The key of a refund; the merchant is null while its receipt is unmatched. */
export type RefundKey = Pick<RefundRow, 'id' | 'merchant_id'>;

/** Limits how many refunds of one receipt are read; a receipt has few. */
const REFUNDS_PER_RECEIPT_MAX = 1000;

/** Loads a receipt and locks its row where the engine has row locks. */
export async function lockReceiptRow(
  tx: Tx,
  { id, merchant_id }: ReceiptKey,
): Promise<ReceiptRow | undefined> {
  return tx
    .selectFrom('receipts')
    .selectAll()
    .where('id', '=', id)
    .where(ofMerchant(tx, merchant_id))
    .$if(hasRowLocks(tx), (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
}

/** Adds to the refunded amount of a receipt. False when the sum would exceed the receipt's amount. */
export async function reserveRefund(
  tx: Tx,
  { id, merchant_id }: ReceiptKey,
  amount: Cents,
): Promise<boolean> {
  const result = await tx
    .updateTable('receipts')
    .set((eb) => ({ refund_cents: eb('refund_cents', '+', amount) }))
    .where('id', '=', id)
    .where(ofMerchant(tx, merchant_id))
    .where((eb) => eb(eb('refund_cents', '+', amount), '<=', eb.ref('amount_cents')))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Subtracts a failed refund from the refunded amount of its receipt. */
export async function releaseRefund(tx: Tx, { id, merchant_id }: ReceiptKey, amount: Cents): Promise<void> {
  await tx
    .updateTable('receipts')
    .set((eb) => ({ refund_cents: eb('refund_cents', '-', amount) }))
    .where('id', '=', id)
    .where(ofMerchant(tx, merchant_id))
    .execute();
}

/** Settles an open receipt as refunded. */
export async function closeCase(tx: Tx, { id, merchant_id }: ReceiptKey, at: number): Promise<void> {
  await tx
    .updateTable('receipts')
    .set({ settlement: 'refunded', settled_at: at })
    .where('id', '=', id)
    .where(ofMerchant(tx, merchant_id))
    .where('settlement', 'is', null)
    .execute();
}

/** Reopens a receipt that was settled as refunded and whose refunds have all failed. */
export async function reopenCase(tx: Tx, { id, merchant_id }: ReceiptKey): Promise<void> {
  await tx
    .updateTable('receipts')
    .set({ settlement: null, settled_at: null })
    .where('id', '=', id)
    .where(ofMerchant(tx, merchant_id))
    .where('settlement', '=', 'refunded')
    .where('refund_cents', '=', 0 as Cents)
    .execute();
}

export async function insertRefund(tx: Tx, row: Insertable<RefundTable>): Promise<void> {
  await tx.insertInto('refunds').values(row).execute();
}

/** The refund with this id; with `merchantId`, only if it is that merchant's. */
export async function findRefund(
  db: Queryable,
  id: string,
  merchantId: Id<'mer'> | null = null,
): Promise<RefundRow | undefined> {
  return db
    .selectFrom('refunds')
    .selectAll()
    .where('id', '=', id as Id<'ref'>)
    .$if(merchantId !== null, (query) => query.where(ofMerchant(db, merchantId)))
    .executeTakeFirst();
}

/** The refunds of these receipts of one merchant, oldest first. */
export async function refundsOf(db: Queryable, receipts: readonly ReceiptKey[]): Promise<RefundRow[]> {
  const [first] = receipts;
  if (first === undefined) return [];
  return db
    .selectFrom('refunds')
    .selectAll()
    .where('receipt_id', 'in', idsOf(receipts))
    .where(ofMerchant(db, first.merchant_id))
    .orderBy('id')
    .limit(REFUNDS_PER_RECEIPT_MAX)
    .execute();
}

const idsOf = (receipts: readonly ReceiptKey[]) => receipts.map(({ id }) => id);

/** The receipt's refund in flight: requested, sent, accepted or unknown. */
export async function inFlightRefund(db: Queryable, receipt: ReceiptKey): Promise<RefundRow | undefined> {
  return db
    .selectFrom('refunds')
    .selectAll()
    .where('receipt_id', '=', receipt.id)
    .where(ofMerchant(db, receipt.merchant_id))
    .where('state', 'in', IN_FLIGHT)
    .executeTakeFirst();
}

/** The sum of the `done` refunds of each of these receipts of one merchant that has any. */
export async function refundedCents(
  db: Queryable,
  receipts: readonly ReceiptKey[],
): Promise<Map<Id<'rcp'>, Cents>> {
  const [first] = receipts;
  if (first === undefined) return new Map();
  const rows = await db
    .selectFrom('refunds')
    .select((eb) => ['receipt_id', eb.fn.sum<Cents>('amount_cents').as('refunded')])
    .where('receipt_id', 'in', idsOf(receipts))
    .where(ofMerchant(db, first.merchant_id))
    .where('state', '=', 'done')
    .groupBy('receipt_id')
    .execute();
  return new Map(rows.map(({ receipt_id, refunded }) => [receipt_id, refunded]));
}

/** Sets the merchant of a receipt's refunds when the receipt is assigned. */
export async function assignRefunds(tx: Tx, receiptId: Id<'rcp'>, merchantId: Id<'mer'>): Promise<void> {
  const refunds = await tx
    .updateTable('refunds')
    .set({ merchant_id: merchantId })
    .where('receipt_id', '=', receiptId)
    .where(ofMerchant(tx, null))
    .returning('id')
    .execute();
  for (const { id } of refunds)
    await tx
      .updateTable('refund_history')
      .set({ merchant_id: merchantId })
      .where('refund_id', '=', id)
      .where(ofMerchant(tx, null))
      .execute();
}

/** The retry of this refund. */
export async function repeatedBy(db: Queryable, refund: RefundKey): Promise<Id<'ref'> | undefined> {
  const row = await db
    .selectFrom('refunds')
    .select('id')
    .where('retry_of', '=', refund.id)
    .where(ofMerchant(db, refund.merchant_id))
    .executeTakeFirst();
  return row?.id;
}

/** The refunds of one payment and amount at these accounts, oldest first. */
export async function refundsOfRequest(
  db: Queryable,
  requestId: string,
  amount: Cents,
  accountIds: readonly Id<'acc'>[],
): Promise<RefundRow[]> {
  return db
    .selectFrom('refunds')
    .selectAll()
    .where('request_id', '=', requestId)
    .where('amount_cents', '=', amount)
    .where('account_id', 'in', accountIds)
    .orderBy('id')
    .execute();
}

/** Whether this notification settled a refund. */
export async function isApplied(db: Queryable, notification: string): Promise<boolean> {
  const row = await db
    .selectFrom('refunds')
    .select('id')
    .where('notification', '=', notification)
    .executeTakeFirst();
  return row !== undefined;
}

export type RefundChanges = Partial<
  Pick<
    RefundRow,
    | 'state'
    | 'iban'
    | 'name'
    | 'detail'
    | 'bank_refund_id'
    | 'instance_id'
    | 'sent_at'
    | 'check_at'
    | 'notification'
    | 'settled_at'
    | 'exported_at'
  >
>;

/** Changes a refund that is still in this state; false when it is not. */
export async function changeRefund(
  tx: Tx,
  { id, merchant_id }: RefundKey,
  from: RefundState,
  changes: RefundChanges,
): Promise<boolean> {
  const result = await tx
    .updateTable('refunds')
    .set(changes)
    .where('id', '=', id)
    .where(ofMerchant(tx, merchant_id))
    .where('state', '=', from)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Adds a line to the journal of a refund, whose receipt is locked. */
export async function insertHistory(
  tx: Tx,
  deps: Pick<Deps, 'actor'>,
  refund: RefundKey,
  line: Pick<Selectable<RefundHistoryTable>, 'at' | 'state' | 'note'>,
): Promise<void> {
  await tx
    .insertInto('refund_history')
    .values((eb) => ({
      ...line,
      refund_id: refund.id,
      merchant_id: refund.merchant_id,
      actor: (deps.actor ?? SERVICE).name,
      number: eb
        .selectFrom('refund_history as before')
        .select((inner) =>
          inner(inner.fn.coalesce(inner.fn.max('before.number'), sql.lit(0)), '+', 1).as('next'),
        )
        .where('before.refund_id', '=', refund.id)
        .where(ofMerchant(tx, refund.merchant_id, 'before.merchant_id')),
    }))
    .execute();
}
