import { type Insertable, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { Queryable, Tx } from '../db/database.ts';
import { columnsOf, memoizeByKey, prepared } from '../db/prepared.ts';
import { hasRowLocks } from '../db/row-locks.ts';
import type { ReceiptSettlementColumns } from '../db/tables/exceptions.ts';
import type { MerchantTable, ReceiptTable, Tables, TransactionTable } from '../db/tables/tables.ts';
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

/** What is told of a transaction that begins. */
export type NewTransaction = Pick<TransactionRow, (typeof NEW_COLUMNS)[number]>;

/** Inserts a transaction that is pending, and of which nothing else has happened yet. */
export async function insertTransaction(tx: Tx, row: NewTransaction): Promise<void> {
  await insertRow(tx, row);
}

// What is the same for each stands in the statement: binding a value costs as much as storing it.
const insertRow = prepared((db, row: NewTransaction) =>
  db.insertInto('transactions').values({
    ...columnsOf(row, NEW_COLUMNS),
    status: sql.lit('pending'),
    held: sql.lit(0),
    events_count: sql.lit(0),
  }),
);

/**
 * The transaction with this id; with `owner`, only when it is that merchant's. Another's is then not even read, so
 * that the time of a look-up tells a stranger nothing.
 */
export async function findTransaction(
  db: Queryable,
  id: string,
  owner: Id<'mer'> | null = null,
): Promise<TransactionRow | undefined> {
  const named = { id: id as Id<'tx'> };
  const [row] = owner === null ? await byId(db, named) : await byIdOfOwner(db, { ...named, owner });
  return row;
}

const byId = prepared((db, { id }: { id: Id<'tx'> }) =>
  db.selectFrom('transactions').selectAll().where('id', '=', id),
);

const byIdOfOwner = prepared((db, { id, owner }: { id: Id<'tx'>; owner: Id<'mer'> }) =>
  db.selectFrom('transactions').selectAll().where('id', '=', id).where('merchant_id', '=', owner),
);

/** What the status call reads of a transaction. */
export type StatusRow = Pick<TransactionRow, (typeof STATUS_COLUMNS)[number]>;

const STATUS_COLUMNS = [
  'id',
  'order_id',
  'status',
  'held',
  'amount_cents',
  'paid_at',
  'paid_method',
  'paid_attempt_id',
  'shown_attempt_id',
] as const;

/** The merchant's own transaction with this id, without the order's data: reading those took half of the time. */
export async function findStatus(
  db: Queryable,
  id: string,
  owner: Id<'mer'>,
): Promise<StatusRow | undefined> {
  const [row] = await statusOfOwner(db, { id: id as Id<'tx'>, owner });
  return row;
}

const statusOfOwner = prepared((db, { id, owner }: { id: Id<'tx'>; owner: Id<'mer'> }) =>
  db.selectFrom('transactions').select(STATUS_COLUMNS).where('id', '=', id).where('merchant_id', '=', owner),
);

/**
 * Loads a transaction for a change, with its lock where the engine has row locks: processes decide about one transaction
 * one after the other, and whatever a unit reads after this call is what the one before it committed. With `owner`,
 * another merchant's is neither read nor locked: a stranger can neither learn of it by the time that takes, nor keep it
 * waiting. With `passBusy`, one that somebody else has locked counts as not there.
 */
export async function lockTransaction(
  tx: Tx,
  id: string,
  { owner = null, passBusy = false }: { owner?: Id<'mer'> | null; passBusy?: boolean } = {},
): Promise<TransactionRow | undefined> {
  const named = { id: id as Id<'tx'> };
  const [row] =
    owner === null
      ? await lockById(passBusy)(tx, named)
      : await lockByIdOfOwner(passBusy)(tx, { ...named, owner });
  return row;
}

const lockById = memoizeByKey((passBusy: boolean) =>
  prepared((db, { id }: { id: Id<'tx'> }) =>
    locked(db, db.selectFrom('transactions').selectAll().where('id', '=', id), passBusy),
  ),
);

const lockByIdOfOwner = memoizeByKey((passBusy: boolean) =>
  prepared((db, { id, owner }: { id: Id<'tx'>; owner: Id<'mer'> }) =>
    locked(
      db,
      db.selectFrom('transactions').selectAll().where('id', '=', id).where('merchant_id', '=', owner),
      passBusy,
    ),
  ),
);

function locked<O>(
  db: Queryable,
  query: SelectQueryBuilder<Tables, 'transactions', O>,
  passBusy: boolean,
): SelectQueryBuilder<Tables, 'transactions', O> {
  if (!hasRowLocks(db)) return query;
  return passBusy ? query.forNoKeyUpdate().skipLocked() : query.forNoKeyUpdate();
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

/**
 * Changes a transaction that still is as it was read; false when it is not. With an event, `events_count` must be
 * among the changes.
 */
export async function changeTransaction(
  tx: Tx,
  before: TransactionRow,
  changes: TransactionChanges,
): Promise<boolean> {
  const { id, status: wasStatus, held: wasHeld, events_count: wasCount } = before;
  const change = changeOf(Object.keys(changes).join());
  const rows = await change(tx, { ...changes, id, wasStatus, wasHeld, wasCount });
  return rows.length === 1;
}

interface Before {
  id: Id<'tx'>;
  wasStatus: TransactionRow['status'];
  wasHeld: TransactionRow['held'];
  wasCount: number;
}

// A statement for each place that changes transactions: their columns stand in its text.
const changeOf = memoizeByKey((columns: string) =>
  prepared((db, values: TransactionChanges & Before) =>
    db
      .updateTable('transactions')
      .set(columnsOf(values, columns.split(',') as (keyof TransactionChanges)[]))
      .where('id', '=', values.id)
      .where('status', '=', values.wasStatus)
      .where('held', '=', values.wasHeld)
      .where('events_count', '=', values.wasCount)
      .returning('id'),
  ),
);

/** Pending transactions whose deadline has come, the oldest first. */
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

export async function findMerchant(db: Queryable, id: Id<'mer'>): Promise<Selectable<MerchantTable>> {
  const [row] = await merchantById(db, { id });
  if (row === undefined) throw new Error(`merchant ${id} is gone`);
  return row;
}

const merchantById = prepared((db, { id }: { id: Id<'mer'> }) =>
  db.selectFrom('merchants').selectAll().where('id', '=', id),
);

/** Remembers the first payment; later ones touch no row, so that payments never queue for the merchant's. */
export async function markFirstPaid(tx: Tx, merchantId: Id<'mer'>, now: number): Promise<void> {
  await setFirstPaid(tx, { merchantId, now });
}

const setFirstPaid = prepared((db, { merchantId, now }: { merchantId: Id<'mer'>; now: number }) =>
  db
    .updateTable('merchants')
    .set({ first_paid_at: now })
    .where('id', '=', merchantId)
    .where('first_paid_at', 'is', null),
);

/** Whether the bank's record of this identity is a receipt already. */
export async function hasReceipt(db: Queryable, identity: string): Promise<boolean> {
  return (await receiptByIdentity(db, { identity })).length > 0;
}

const receiptByIdentity = prepared((db, { identity }: { identity: string }) =>
  db.selectFrom('receipts').select('id').where('identity', '=', identity),
);

type NewReceipt = Omit<Insertable<ReceiptTable>, keyof ReceiptSettlementColumns>;

export async function insertReceipt(tx: Tx, row: NewReceipt): Promise<void> {
  await addReceipt(tx, row);
}

const addReceipt = prepared((db, row: NewReceipt) =>
  db
    .insertInto('receipts')
    .values(
      columnsOf(row, [
        ...(['id', 'identity', 'transaction_id', 'attempt_id', 'merchant_id', 'account_id'] as const),
        ...(['method', 'amount_cents', 'paid_at', 'recorded_at'] as const),
        ...(['late', 'duplicate', 'under', 'over', 'unmatched'] as const),
        ...(['request_id', 'bank_order_id', 'entity', 'reference', 'record'] as const),
      ]),
    ),
);

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

/** Receipts in the order of their recording, perhaps only those with `flag`, one page after the id `after`. */
export async function receiptPage(
  db: Queryable,
  page: { flag: ReceiptFlag | null; after: string; limit: number },
): Promise<ReceiptRow[]> {
  let query = db
    .selectFrom('receipts')
    .selectAll()
    .where('id', '>', page.after as Id<'rcp'>);
  // A literal, not a parameter: only then may the engines use the flag's partial index.
  if (page.flag !== null) query = query.where(page.flag, '=', sql.lit(1));
  return query.orderBy('id').limit(page.limit).execute();
}
