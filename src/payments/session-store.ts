import { sql } from 'kysely';
import { isPostgres, type Queryable, type Tx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { Id } from '../kernel/ids.ts';
import type { Language } from '../kernel/language.ts';
import type { TransactionRow } from './store.ts';

const TRANSACTIONS_PER_SESSION_MAX = 1000;

type OfSession = Pick<TransactionRow, 'id' | 'session_id' | 'merchant_id'>;

/** Locks a checkout session. A unit of work that also locks a `transactions` row locks that row first. */
async function lockSession(tx: Tx, id: Id<'cs'>): Promise<void> {
  if (!isPostgres(tx)) return;
  await tx.selectFrom('checkout_sessions').select('id').where('id', '=', id).forNoKeyUpdate().execute();
}

/** Whether another transaction of the same checkout session is paid or held. Locks the session. */
export async function isOrderSettled(tx: Tx, transaction: OfSession): Promise<boolean> {
  if (transaction.session_id !== null) await lockSession(tx, transaction.session_id);
  return hasSettledOther(tx, transaction);
}

/** Returns the same as `isOrderSettled`, without a lock. */
export async function hasSettledOther(db: Queryable, transaction: OfSession): Promise<boolean> {
  if (transaction.session_id === null) return false;
  const settled = await ofSession(db, transaction)
    .where('id', '<>', transaction.id)
    .where((where) => where.or([where('status', '=', 'paid'), where('held', '=', 1)]))
    .limit(sql.lit(1))
    .executeTakeFirst();
  return settled !== undefined;
}

/** Whether a transaction of the same checkout session was paid before; false without a session. Locks the session. */
export async function wasSessionPaid(tx: Tx, transaction: OfSession): Promise<boolean> {
  if (transaction.session_id === null) return false;
  await lockSession(tx, transaction.session_id);
  const first = await ofSession(tx, transaction).where('session_paid', '=', sql.lit(1)).executeTakeFirst();
  return first !== undefined;
}

const ofSession = (db: Queryable, { session_id, merchant_id }: OfSession) =>
  db
    .selectFrom('transactions')
    .select('id')
    .where('session_id', '=', session_id)
    .where('merchant_id', '=', merchant_id);

/**
 * The transactions of a checkout session, oldest first. The pending one is last, also when ids do not sort by time because of
 * several processes or a clock that was set back.
 */
export async function transactionsOfSession(
  db: Queryable,
  session: { id: Id<'cs'>; merchant_id: Id<'mer'> },
) {
  const { id, merchant_id } = session;
  const transactions = (await newestOfSession(db, { id, merchant_id })).reverse();
  const isPending = ({ status }: Pick<TransactionRow, 'status'>) => status === 'pending';
  return [...transactions.filter((one) => !isPending(one)), ...transactions.filter(isPending)];
}

/** Reads no other columns: the items of a row can be 100 kB, and the payment page, which is polled, reads all rows of its session. */
const newestOfSession = prepared((db, session: { id: Id<'cs'>; merchant_id: Id<'mer'> }) =>
  db
    .selectFrom('transactions')
    .select(['id', 'merchant_id', 'order_id', 'amount_cents', 'status', 'held', 'session_paid'])
    .where('session_id', '=', session.id)
    .where('merchant_id', '=', session.merchant_id)
    .orderBy('id', 'desc')
    .limit(sql.lit(TRANSACTIONS_PER_SESSION_MAX)),
);

/** The language of the payment page of a checkout session. */
export async function localeOfSession(db: Queryable, id: Id<'cs'>): Promise<Language> {
  const row = await db
    .selectFrom('checkout_sessions')
    .select('locale')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.locale ?? 'pt';
}
