import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely';
import type { Queryable, Tx } from '../db/database.ts';
import { ofMerchant } from '../db/of-merchant.ts';
import { columnsOf, prepared } from '../db/prepared.ts';
import { namesOf, type RecordColumns } from '../db/recordset.ts';
import type { ReceiptSettlementColumns, ReceiptTable, TransactionTable } from '../db/tables/payments.ts';
import type { Acquirer } from '../kernel/acquirer.ts';
import type { Id } from '../kernel/ids.ts';
import { RECEIPT_FLAGS } from '../kernel/payment-enums.ts';

export type TransactionRow = Selectable<TransactionTable>;
/** The key of a transaction; the merchant's id selects the database when merchants are distributed. */
export type TransactionKey = Pick<TransactionRow, 'id' | 'merchant_id'>;
export type ReceiptRow = Selectable<ReceiptTable>;
/** The key of a receipt; the merchant is null while it is unmatched. */
export type ReceiptKey = Pick<ReceiptRow, 'id' | 'merchant_id'>;

const RECEIPTS_PER_TRANSACTION_MAX = 1000;

/** The columns that differ between new transactions. */
export const NEW_COLUMNS = {
  id: 'text',
  merchant_id: 'text',
  order_id: 'text',
  amount_cents: 'bigint',
  store_domain: 'text',
  customer: 'text',
  shipping_address: 'text',
  items: 'text',
  tracking: 'text',
  created_at: 'bigint',
  deadline_at: 'bigint',
  session_id: 'text',
  pending_until: 'bigint',
} as const satisfies RecordColumns;

export type NewTransaction = Pick<TransactionRow, keyof typeof NEW_COLUMNS>;

export const insertTransaction = prepared((db, row: NewTransaction & Pick<TransactionRow, 'lead_id'>) =>
  db.insertInto('transactions').values({
    ...columnsOf(row, [...namesOf(NEW_COLUMNS), 'lead_id']),
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
 * transaction see what the previous holder committed. With `owner`, another merchant's row is neither read nor locked;
 * without it, the row is read first to learn its merchant. With `skipLocked`, a row that is locked elsewhere counts as missing.
 */
export async function lockTransaction(
  tx: Tx,
  id: string,
  { owner = null, skipLocked = false }: { owner?: Id<'mer'> | null; skipLocked?: boolean } = {},
): Promise<TransactionRow | undefined> {
  const merchantId = owner ?? (await findTransaction(tx, id))?.merchant_id;
  if (merchantId === undefined) return undefined;
  return tx
    .selectFrom('transactions')
    .selectAll()
    .where('id', '=', id as Id<'tx'>)
    .where('merchant_id', '=', merchantId)
    .forNoKeyUpdate()
    .$if(skipLocked, (query) => query.skipLocked())
    .executeTakeFirst();
}

type TransactionChanges = Partial<Omit<TransactionRow, keyof NewTransaction>> &
  Partial<Pick<TransactionRow, 'deadline_at'>>;

/** Changes a locked transaction. Throws, which rolls back, when it is not as it was read. */
export async function changeTransaction(
  tx: Tx,
  before: TransactionRow,
  changes: TransactionChanges,
): Promise<void> {
  const result = await tx
    .updateTable('transactions')
    .set(changes)
    .where('id', '=', before.id)
    .where('merchant_id', '=', before.merchant_id)
    .where('status', '=', before.status)
    .where('held', '=', before.held)
    .where('events_count', '=', before.events_count)
    .executeTakeFirst();
  if (result.numUpdatedRows !== 1n) throw new Error(`transaction ${before.id} changed while it was locked`);
}

/** Transactions whose deadline has passed, the oldest first. */
export async function dueDeadlines(db: Queryable, now: number, limit: number): Promise<TransactionKey[]> {
  return await db
    .selectFrom('transactions')
    .select(['id', 'merchant_id'])
    .where('deadline_at', '<=', now)
    .orderBy('deadline_at')
    .limit(limit)
    .execute();
}

/** The receipt of the row of the bank's record with this identity. */
export async function receiptOfIdentity(db: Queryable, identity: string): Promise<ReceiptRow | undefined> {
  return db.selectFrom('receipts').selectAll().where('identity', '=', identity).executeTakeFirst();
}

type NewReceipt = Omit<Insertable<ReceiptTable>, keyof ReceiptSettlementColumns>;

export async function insertReceipt(tx: Tx, row: NewReceipt): Promise<void> {
  await tx.insertInto('receipts').values(row).execute();
}

export type FeeColumns = Pick<ReceiptRow, 'fee_cents' | 'net_cents' | 'value_date'>;

/** Sets the fees that a receipt lacks. Another process may have set some since it was read. */
export async function setFees(tx: Tx, identity: string, fees: FeeColumns): Promise<void> {
  await tx
    .updateTable('receipts')
    .set(({ fn, val }) => ({
      fee_cents: fn.coalesce('fee_cents', val(fees.fee_cents)),
      net_cents: fn.coalesce('net_cents', val(fees.net_cents)),
      value_date: fn.coalesce('value_date', val(fees.value_date)),
    }))
    .where('identity', '=', identity)
    .execute();
}

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
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** An update of one receipt, which the caller completes. */
export const updateReceipt = (tx: Tx, { id, merchant_id }: ReceiptKey) =>
  tx.updateTable('receipts').where('id', '=', id).where(ofMerchant(tx, merchant_id));

/** The receipts of one transaction, oldest first. */
export async function receiptsOf(db: Queryable, transaction: TransactionKey): Promise<ReceiptRow[]> {
  return db
    .selectFrom('receipts')
    .selectAll()
    .where('transaction_id', '=', transaction.id)
    .where('merchant_id', '=', transaction.merchant_id)
    .orderBy('id')
    .limit(RECEIPTS_PER_TRANSACTION_MAX)
    .execute();
}

/** The merchant sees only receipts below the amount while the transaction is held. */
export const VISIBLE = sql<SqlBool>`(transactions.held = 0 or receipts.under = 1)`;

export type ReceiptFlag = (typeof RECEIPT_FLAGS)[number];

/** A receipt that is or was an exception, by the condition of the partial indexes. */
export const FLAGGED = sql<SqlBool>`${sql.raw(RECEIPT_FLAGS.map((flag) => `receipts.${flag}`).join(' + '))} > 0`;

/** One page of receipts after the id `after`, oldest first; with `flag`, only receipts with that flag. */
export async function receiptPage(
  db: Queryable,
  { flag, after = '', limit }: { flag?: ReceiptFlag | undefined; after?: string | undefined; limit: number },
): Promise<ReceiptRow[]> {
  let query = db
    .selectFrom('receipts')
    .selectAll()
    .where('id', '>', after as Id<'rcp'>);
  // A literal, because the engines use partial indexes for literals only.
  if (flag !== undefined) query = query.where(flag, '=', sql.lit(1));
  return query.orderBy('id').limit(limit).execute();
}

export async function acquirersOf(
  db: Queryable,
  accountIds: readonly Id<'acc'>[],
): Promise<ReadonlyMap<Id<'acc'>, Acquirer>> {
  if (accountIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('bank_accounts')
    .select(['id', 'acquirer'])
    .where('id', 'in', [...new Set(accountIds)])
    .execute();
  return new Map(rows.map(({ id, acquirer }) => [id, acquirer]));
}
