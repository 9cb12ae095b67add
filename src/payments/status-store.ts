import { sql } from 'kysely';
import type { Queryable } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { hasRowLocks } from '../db/row-locks.ts';
import type { Id } from '../kernel/ids.ts';
import { attemptsOf } from './attempt-store.ts';
import { statusTogether } from './postgres-store.ts';
import { ATTEMPTS_JOINED_MAX, type StatusAttempt, type StatusRow } from './status-row.ts';

/**
 * The merchant's own transaction with its attempts, oldest first. Another merchant's is not read, so that timing reveals nothing
 * about it.
 */
export async function findStatus(
  db: Queryable,
  id: string,
  owner: Id<'mer'>,
): Promise<{ transaction: StatusRow; attempts: StatusAttempt[] } | undefined> {
  const rows = hasRowLocks(db)
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
    .select([
      'transactions.id',
      'order_id',
      'status',
      'held',
      'transactions.amount_cents',
      'paid_at',
      'paid_method',
      'paid_attempt_id',
      'shown_attempt_id',
      'attempts.id as attempt_id',
      'state',
      'accepted',
      'method',
      'entity',
      'reference',
      'expires_at',
    ])
    .where('transactions.id', '=', id)
    .where('transactions.merchant_id', '=', owner)
    .orderBy('attempts.id', 'desc')
    .limit(sql.lit(ATTEMPTS_JOINED_MAX)),
);
