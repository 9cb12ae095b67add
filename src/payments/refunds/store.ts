import { type Insertable, type Selectable, sql } from 'kysely';
import type { Queryable, Tx } from '../../db/database.ts';
import { ofMerchant } from '../../db/of-merchant.ts';
import type { RefundHistoryTable, RefundTable } from '../../db/tables/refunds.ts';
import type { Deps } from '../../deps.ts';
import { SERVICE } from '../../kernel/actor.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Cents } from '../../kernel/money.ts';
import { type ReceiptKey, updateReceipt } from '../store.ts';
import { IN_FLIGHT } from './refund.ts';

export type RefundRow = Selectable<RefundTable>;
/** The key of a refund; the merchant is null while its receipt is unmatched. */
export type RefundKey = Pick<RefundRow, 'id' | 'merchant_id'>;

/** Limits how many refunds of one receipt are read; a receipt has few. */
const REFUNDS_PER_RECEIPT_MAX = 1000;

/** Adds to the refunded amount of a receipt. False when the sum would exceed the receipt's amount. */
export async function reserveRefund(tx: Tx, receipt: ReceiptKey, amount: Cents): Promise<boolean> {
  const result = await updateReceipt(tx, receipt)
    .set((eb) => ({ refund_cents: eb('refund_cents', '+', amount) }))
    .where((eb) => eb(eb('refund_cents', '+', amount), '<=', eb.ref('amount_cents')))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Subtracts a failed refund from the refunded amount of its receipt. */
export async function releaseRefund(tx: Tx, receipt: ReceiptKey, amount: Cents): Promise<void> {
  await updateReceipt(tx, receipt)
    .set((eb) => ({ refund_cents: eb('refund_cents', '-', amount) }))
    .execute();
}

/** Settles an open receipt as refunded. */
export async function closeCase(tx: Tx, receipt: ReceiptKey, at: number): Promise<void> {
  await updateReceipt(tx, receipt)
    .set({ settlement: 'refunded', settled_at: at })
    .where('settlement', 'is', null)
    .execute();
}

/** Reopens a receipt that was settled as refunded and whose refunds have all failed. */
export async function reopenCase(tx: Tx, receipt: ReceiptKey): Promise<void> {
  await updateReceipt(tx, receipt)
    .set({ settlement: null, settled_at: null })
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
  if (receipts.length === 0) return [];
  return ofReceipts(db, receipts).selectAll().orderBy('id').limit(REFUNDS_PER_RECEIPT_MAX).execute();
}

const ofReceipts = (db: Queryable, receipts: readonly ReceiptKey[]) =>
  db
    .selectFrom('refunds')
    .where(
      'receipt_id',
      'in',
      receipts.map(({ id }) => id),
    )
    .where(ofMerchant(db, receipts[0]?.merchant_id ?? null));

/** The receipt's refund in flight: requested, sent, accepted or unknown. */
export async function inFlightRefund(db: Queryable, receipt: ReceiptKey): Promise<RefundRow | undefined> {
  return ofReceipts(db, [receipt]).selectAll().where('state', 'in', IN_FLIGHT).executeTakeFirst();
}

/** The sum of the `done` refunds of each of these receipts of one merchant that has any. */
export async function refundedCents(
  db: Queryable,
  receipts: readonly ReceiptKey[],
): Promise<Map<Id<'rcp'>, Cents>> {
  if (receipts.length === 0) return new Map();
  const rows = await ofReceipts(db, receipts)
    .select((eb) => ['receipt_id', eb.fn.sum<Cents>('amount_cents').as('refunded')])
    .where('state', '=', 'done')
    .groupBy('receipt_id')
    .execute();
  return new Map(rows.map(({ receipt_id, refunded }) => [receipt_id, refunded]));
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
  Omit<RefundRow, 'id' | 'receipt_id' | 'merchant_id' | 'account_id' | 'request_id' | 'amount_cents'>
>;

/** Changes a refund whose receipt is locked. Throws, which rolls back, when it is not in the state in which it was read. */
export async function changeRefund(
  tx: Tx,
  { id, merchant_id, state }: Pick<RefundRow, 'id' | 'merchant_id' | 'state'>,
  changes: RefundChanges,
): Promise<void> {
  const result = await tx
    .updateTable('refunds')
    .set(changes)
    .where('id', '=', id)
    .where(ofMerchant(tx, merchant_id))
    .where('state', '=', state)
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n) throw new Error(`refund ${id} changed while it was locked`);
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
