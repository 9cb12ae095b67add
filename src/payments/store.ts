import { type Insertable, type Selectable, sql } from 'kysely';
import type { Queryable, Tx } from '../db/database.ts';
import { columnsOf, prepared } from '../db/prepared.ts';
import { hasRowLocks } from '../db/row-locks.ts';
import type { ReceiptSettlementColumns, ReceiptTable, TransactionTable } from '../db/tables/payments.ts';
import type { Id } from '../kernel/ids.ts';

export type TransactionRow = Selectable<TransactionTable>;
export type ReceiptRow = Selectable<ReceiptTable>;

const RECEIPTS_PER_TRANSACTION_MAX = 1000;

const NEW_COLUMNS = [
  'id',
  'merchant_id',
  'order_id',
  'amount_cents',
  'store_domain',
  'customer',
  'shipping_address',
  'items',
  'tracking',
  'lead_id',
  'created_at',
  'deadline_at',
] as const;

/** The columns that differ between new transactions. */
export type NewTransaction = Pick<TransactionRow, (typeof NEW_COLUMNS)[number]>;

/** Inserts a pending transaction. */
export const insertTransaction = prepared((db, row: NewTransaction) =>
  db.insertInto('transactions').values({
    ...columnsOf(row, NEW_COLUMNS),
    status: sql.lit('pending'),
    held: sql.lit(0),
    events_count: sql.lit(0),
  }),
);

/** The transaction with this id; with `owner`, only if it is that merchant's. */
export async function findTransaction(
  db: Queryable,
  id: string,
  owner: Id<'mer'> | null = null,
): Promise<TransactionRow | undefined> {
  return db
    .selectFrom('transactions')
    .selectAll()
    .where('id', '=', id as Id<'tx'>)
    .$if(owner !== null, (query) => query.where('merchant_id', '=', owner as Id<'mer'>))
    .executeTakeFirst();
}

/**
 * Loads a transaction and locks its row where the engine has row locks, so that later reads in this database
 * transaction see what the previous holder committed. With `owner`, another merchant's row is neither read nor locked.
 * With `skipLocked`, a row that is locked elsewhere counts as missing.
 */
export async function lockTransaction(
  tx: Tx,
  id: string,
  { owner = null, skipLocked = false }: { owner?: Id<'mer'> | null; skipLocked?: boolean } = {},
): Promise<TransactionRow | undefined> {
  let query = tx
    .selectFrom('transactions')
    .selectAll()
    .where('id', '=', id as Id<'tx'>);
  if (owner !== null) query = query.where('merchant_id', '=', owner);
  if (hasRowLocks(tx)) query = query.forNoKeyUpdate();
  if (hasRowLocks(tx) && skipLocked) query = query.skipLocked();
  return query.executeTakeFirst();
}

type TransactionChanges = Partial<
  Pick<
    TransactionRow,
    | 'status'
    | 'held'
    | 'paid_at'
    | 'paid_method'
    | 'paid_attempt_id'
    | 'shown_attempt_id'
    | 'deadline_at'
    | 'events_count'
  >
>;

/** Changes a transaction that is still as it was read; false when it is not. */
export async function changeTransaction(
  tx: Tx,
  before: TransactionRow,
  changes: TransactionChanges,
): Promise<boolean> {
  const result = await tx
    .updateTable('transactions')
    .set(changes)
    .where('id', '=', before.id)
    .where('status', '=', before.status)
    .where('held', '=', before.held)
    .where('events_count', '=', before.events_count)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Transactions whose deadline has passed, the oldest first. */
export async function dueDeadlines(db: Queryable, now: number, limit: number): Promise<Id<'tx'>[]> {
  const rows = await db
    .selectFrom('transactions')
    .select('id')
    .where('deadline_at', '<=', now)
    .orderBy('deadline_at')
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Whether the row of the bank's record with this identity is recorded as a receipt. */
export async function hasReceipt(db: Queryable, identity: string): Promise<boolean> {
  const row = await db
    .selectFrom('receipts')
    .select('id')
    .where('identity', '=', identity)
    .executeTakeFirst();
  return row !== undefined;
}

type NewReceipt = Omit<Insertable<ReceiptTable>, keyof ReceiptSettlementColumns>;

export async function insertReceipt(tx: Tx, row: NewReceipt): Promise<void> {
  await tx.insertInto('receipts').values(row).execute();
}

/** The receipts of one transaction, oldest first. */
export async function receiptsOf(db: Queryable, transactionId: Id<'tx'>): Promise<ReceiptRow[]> {
  return db
    .selectFrom('receipts')
    .selectAll()
    .where('transaction_id', '=', transactionId)
    .orderBy('id')
    .limit(RECEIPTS_PER_TRANSACTION_MAX)
    .execute();
}

export const RECEIPT_FLAGS = ['late', 'duplicate', 'under', 'over', 'unmatched'] as const;
export type ReceiptFlag = (typeof RECEIPT_FLAGS)[number];

/** One page of receipts after the id `after`, oldest first; with `flag`, only receipts with that flag. */
export async function receiptPage(
  db: Queryable,
  page: { flag: ReceiptFlag | null; after: string; limit: number },
): Promise<ReceiptRow[]> {
  let query = db
    .selectFrom('receipts')
    .selectAll()
    .where('id', '>', page.after as Id<'rcp'>);
  // A literal, because the engines use partial indexes for literals only.
  if (page.flag !== null) query = query.where(page.flag, '=', sql.lit(1));
  return query.orderBy('id').limit(page.limit).execute();
}
