import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Queryable } from '../../db/database.ts';
import type { Id } from '../../kernel/ids.ts';
import { FLAGGED } from '../../payments/store.ts';

/** The merchant whose transactions are searched; null for all merchants (operators only). */
export type Scope = Id<'mer'> | null;

const OPEN_EXCEPTION = sql<SqlBool>`receipts.settlement is null and ${FLAGGED}`;

/** A condition that finds more rows than this is not resolved by its index. */
const COMMON_ROWS = 1000;

export type Condition =
  /** Paid between these instants, by the bank's record. */
  | { kind: 'paid'; from: number; before: number }
  /** An open receipt that needs attention. */
  | { kind: 'attention' };

/** Whether a row of transactions, or of receipts, matches. */
function clauseOf(condition: Condition): RawBuilder<SqlBool> {
  if (condition.kind === 'attention') return OPEN_EXCEPTION;
  const { from, before } = condition;
  return sql`transactions.status = 'paid' and transactions.paid_at >= ${from} and transactions.paid_at < ${before}`;
}

export function matches(condition: Condition): RawBuilder<SqlBool> {
  const where = clauseOf(condition);
  if (condition.kind === 'paid') return sql`(${where})`;
  return hasReceipt(where);
}

/** Whether the transaction has such a receipt. The offset stops PostgreSQL from reading those of every transaction. */
export function hasReceipt(where: RawBuilder<SqlBool>): RawBuilder<SqlBool> {
  return sql`exists (select 1 from receipts where receipts.transaction_id = transactions.id and ${where} limit 1 offset 0)`;
}

/** Looks up the transactions that match a condition in its index; null when too many rows match, with or without a transaction. */
export async function lookUp(db: Queryable, scope: Scope, condition: Condition) {
  const isPaid = condition.kind === 'paid';
  const table = isPaid ? 'transactions' : 'receipts';
  const id = sql.ref(isPaid ? 'transactions.id' : 'receipts.transaction_id');
  // The index of paid transactions begins with the merchant.
  const everyone = isPaid ? sql`and merchant_id in (select id from merchants)` : sql``;
  const owned = scope === null ? everyone : sql`and merchant_id = ${scope}`;
  const { rows } = await sql<{ id: Id<'tx'> | null }>`
    select ${id} as id from ${sql.table(table)} where ${clauseOf(condition)} ${owned} limit ${COMMON_ROWS + 1}`.execute(
    db,
  );
  return rows.length > COMMON_ROWS ? null : new Set(rows.flatMap((row) => row.id ?? []));
}
