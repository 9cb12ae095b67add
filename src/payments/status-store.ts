import { sql } from 'kysely';
import { isPostgres, type Queryable } from '../db/database.ts';
import { gathered } from '../db/gather.ts';
import { prepared } from '../db/prepared.ts';
import { recordset, recordsOf } from '../db/recordset.ts';
import type { Id } from '../kernel/ids.ts';
import { type AttemptRow, attemptsOf } from './attempt-store.ts';
import type { TransactionRow } from './store.ts';

/** The columns of a transaction and of an attempt that the status call shows or decides by. */
const TRANSACTION_COLUMNS = [
  ...(['id', 'order_id', 'status', 'held', 'amount_cents', 'paid_at', 'paid_method'] as const),
  ...(['paid_attempt_id', 'shown_attempt_id'] as const),
];
const ATTEMPT_COLUMNS = ['state', 'accepted', 'method', 'entity', 'reference', 'expires_at'] as const;

export type StatusRow = Pick<TransactionRow, (typeof TRANSACTION_COLUMNS)[number]>;
export type StatusAttempt = Pick<AttemptRow, 'id' | (typeof ATTEMPT_COLUMNS)[number]>;

/** A transaction with more attempts takes a second query. */
const ATTEMPTS_JOINED_MAX = 50;

/** A transaction with one of its attempts, or with none. */
type StatusJoined = StatusRow & { attempt_id: StatusAttempt['id'] | null } & {
  [Column in Exclude<keyof StatusAttempt, 'id'>]: StatusAttempt[Column] | null;
};

/**
 * The merchant's own transaction with its attempts, oldest first. Another merchant's is not read, so that timing reveals nothing
 * about it.
 */
export async function findStatus(
  db: Queryable,
  id: string,
  owner: Id<'mer'>,
): Promise<{ transaction: StatusRow; attempts: StatusAttempt[] } | undefined> {
  const rows = isPostgres(db)
    ? await statusTogether(db, { id, owner })
    : await statusOfOwner(db, { id: id as Id<'tx'>, owner });
  const [transaction] = rows;
  if (transaction === undefined) return undefined;
  if (rows.length === ATTEMPTS_JOINED_MAX) {
    return { transaction, attempts: await attemptsOf(db, { id: transaction.id, merchant_id: owner }) };
  }
  const attempts: StatusAttempt[] = [];
  for (const { attempt_id: attemptId, state, accepted, method, entity, reference, expires_at } of rows) {
    if (attemptId === null || state === null || accepted === null || method === null) continue;
    attempts.unshift({ id: attemptId, state, accepted, method, entity, reference, expires_at });
  }
  return { transaction, attempts };
}

const statusOfOwner = prepared((db, { id, owner }: { id: Id<'tx'>; owner: Id<'mer'> }) =>
  db
    .selectFrom('transactions')
    .leftJoin('attempts', (join) =>
      join
        .onRef('attempts.transaction_id', '=', 'transactions.id')
        .onRef('attempts.merchant_id', '=', 'transactions.merchant_id'),
    )
    .select(TRANSACTION_COLUMNS.map((name) => `transactions.${name}` as const))
    .select(['attempts.id as attempt_id', ...ATTEMPT_COLUMNS])
    .where('transactions.id', '=', id)
    .where('transactions.merchant_id', '=', owner)
    .orderBy('attempts.id', 'desc')
    .limit(sql.lit(ATTEMPTS_JOINED_MAX)),
);

interface Owned {
  readonly id: string;
  readonly owner: Id<'mer'>;
}

/** Reads the status rows for all calls of one event-loop turn in one query. */
const statusTogether = gathered(
  (db, keys: readonly Owned[]) => statusOfOwners(db, { records: recordsOf(keys) }),
  ({ id, owner }) => `${id} ${owner}`,
);

const statusOfOwners = prepared(
  (db, { records }: { records: string }) => sql<StatusJoined & Owned>`
    select given.owner, ${sql.raw(TRANSACTION_COLUMNS.map((name) => `t.${name}`).join())},
      a.id as attempt_id, ${sql.raw(ATTEMPT_COLUMNS.map((name) => `a.${name}`).join())}
    from ${recordset(db, records, { id: 'text', owner: 'text' })}
    join transactions as t on t.id = given.id and t.merchant_id = given.owner
    left join lateral (
      select * from attempts where attempts.transaction_id = t.id and attempts.merchant_id = given.owner
      order by attempts.id desc limit ${sql.lit(ATTEMPTS_JOINED_MAX)}
    ) as a on true
    order by a.id desc`,
);
