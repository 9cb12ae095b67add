import { type Insertable, type Selectable, sql } from 'kysely';
import type { BankRecord } from '../banks/port.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { AttemptState, AttemptTable } from '../db/tables/payments.ts';
import type { Id } from '../kernel/ids.ts';
import type { TransactionKey } from './store.ts';
import { LIVE } from './transaction.ts';

export type AttemptRow = Selectable<AttemptTable>;

const ATTEMPTS_PER_TRANSACTION_MAX = 1000;
const NEVER_LEFT_OUT: readonly AttemptState[] = [...LIVE, 'paid'];

export async function insertAttempt(tx: Tx, row: Insertable<AttemptTable>): Promise<void> {
  await tx.insertInto('attempts').values(row).execute();
}

/** The key of an attempt; the merchant's id selects the database when merchants are distributed. */
export type AttemptKey = Pick<AttemptRow, 'id' | 'merchant_id'>;

export async function findAttempt(db: Queryable, key: AttemptKey): Promise<AttemptRow | undefined> {
  return db
    .selectFrom('attempts')
    .selectAll()
    .where('id', '=', key.id)
    .where('merchant_id', '=', key.merchant_id)
    .executeTakeFirst();
}

/**
 * The attempt of a row of the bank's record: by our order id, else by the bank's request id. Where payments have ids of their own,
 * a request id can repeat: a row with the order id of another program is then not matched by it.
 */
export async function attemptOfRecord(
  db: Queryable,
  record: Pick<BankRecord, 'bankOrderId' | 'requestId' | 'paymentId'>,
): Promise<AttemptRow | undefined> {
  const { bankOrderId, requestId, paymentId } = record;
  const attempts = db.selectFrom('attempts').selectAll();
  if (bankOrderId !== null) {
    const ordered = await attempts.where('bank_order_id', '=', bankOrderId).executeTakeFirst();
    if (ordered !== undefined || paymentId !== undefined) return ordered;
  }
  if (requestId === null) return undefined;
  return attempts.where('request_id', '=', requestId).orderBy('id', 'desc').limit(1).executeTakeFirst();
}

/**
 * The attempts of one transaction, oldest first. Beyond a limit the oldest are left out, except live and paid ones: an
 * overlooked push would be sent again.
 */
export async function attemptsOf(db: Queryable, { id, merchant_id }: TransactionKey): Promise<AttemptRow[]> {
  const newest = await newestOf(db, { id, merchant_id });
  const oldest = newest.at(-1);
  if (oldest === undefined || newest.length < ATTEMPTS_PER_TRANSACTION_MAX) return newest.reverse();
  const older = await newestFirst(db, { id, merchant_id })
    .where('id', '<', oldest.id)
    .where('state', 'in', NEVER_LEFT_OUT)
    .execute();
  return [...newest, ...older].reverse();
}

const newestFirst = (db: Queryable, transaction: TransactionKey) =>
  db
    .selectFrom('attempts')
    .selectAll()
    .where('transaction_id', '=', transaction.id)
    .where('merchant_id', '=', transaction.merchant_id)
    .orderBy('id', 'desc')
    .limit(sql.lit(ATTEMPTS_PER_TRANSACTION_MAX));

const newestOf = prepared((db, transaction: TransactionKey) => newestFirst(db, transaction));

type AttemptChanges = Partial<Omit<AttemptRow, 'id' | 'transaction_id' | 'merchant_id' | 'bank_order_id'>>;

/**
 * Changes an attempt that is still in one of the states `from` and, with `checkAt`, whose check is still planned for then; false
 * when it is not.
 */
export async function changeAttempt(
  tx: Tx,
  key: AttemptKey,
  from: readonly AttemptState[],
  changes: AttemptChanges,
  checkAt?: number | null,
): Promise<boolean> {
  const result = await tx
    .updateTable('attempts')
    .set(changes)
    .where('id', '=', key.id)
    .where('merchant_id', '=', key.merchant_id)
    .where('state', 'in', from)
    .$if(checkAt !== undefined, (query) => query.where('check_at', '=', checkAt ?? null))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

// The states below are literals because the engines use partial indexes for literals only.

/**
 * Open pushes whose inquiry is due, or was planned beyond `latest` before the clock was set back, nearest deadline first.
 */
export async function duePushes(
  db: Queryable,
  now: number,
  latest: number,
  limit: number,
): Promise<AttemptRow[]> {
  return inState(db, 'open', limit)
    .where('method', '=', sql.lit('MBWAY'))
    .where((eb) => eb.or([eb('check_at', '<=', now), eb('check_at', '>', latest)]))
    .orderBy('expires_at')
    .execute();
}

/** Open references whose last read is due, the longest due first. */
export async function dueReferences(db: Queryable, now: number, limit: number): Promise<AttemptRow[]> {
  return due(db, 'open', now, limit).where('method', '=', sql.lit('REFERENCE')).execute();
}

/** Creates whose outcome is overdue, the longest due first. */
export async function dueRecoveries(db: Queryable, now: number, limit: number): Promise<AttemptRow[]> {
  return due(db, 'initiated', now, limit).execute();
}

const due = (db: Queryable, state: AttemptState, now: number, limit: number) =>
  inState(db, state, limit).where('check_at', '<=', now).orderBy('check_at');

const inState = (db: Queryable, state: AttemptState, limit: number) =>
  db.selectFrom('attempts').selectAll().where('state', '=', sql.lit(state)).limit(limit);

/** When the next check of any attempt falls due; null when none is planned. */
export async function nextCheckAt(db: Queryable): Promise<number | null> {
  const soonest = async (state: AttemptState, method: AttemptRow['method'] | null) => {
    const row = await db
      .selectFrom('attempts')
      .select((eb) => eb.fn.min('check_at').as('at'))
      .where('state', '=', sql.lit(state))
      .$if(method !== null, (query) => query.where('method', '=', sql.lit(method)))
      .executeTakeFirst();
    return row?.at ?? null;
  };
  const instants = [
    await soonest('open', 'MBWAY'),
    await soonest('open', 'REFERENCE'),
    await soonest('initiated', null),
  ].filter((at) => at !== null);
  return instants.length === 0 ? null : Math.min(...instants);
}

interface Span {
  createdSince: number;
  expiredBy: number | null;
}

/** Unknown pushes of an account with an id above `after`, created since `createdSince` and, if given, expired by `expiredBy`. */
export async function unknownPushes(
  db: Queryable,
  account: Id<'acc'>,
  after: string,
  limit: number,
  { createdSince, expiredBy }: Span = { createdSince: 0, expiredBy: null },
): Promise<AttemptRow[]> {
  return db
    .selectFrom('attempts')
    .selectAll()
    .where('state', '=', sql.lit('unknown'))
    .where('account_id', '=', account)
    .where('id', '>', after as Id<'att'>)
    .where('created_at', '>=', createdSince)
    .$if(expiredBy !== null, (query) => query.where('expires_at', '<=', expiredBy))
    .orderBy('id')
    .limit(limit)
    .execute();
}
