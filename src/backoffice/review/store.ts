import { sql } from 'kysely';
import type { Queryable } from '../../db/database.ts';
import type { Id } from '../../kernel/ids.ts';

/** A page of held transactions, oldest first. */
export async function heldRows(
  db: Queryable,
  page: { merchantId: Id<'mer'> | null; after: Id<'tx'> | null; limit: number },
) {
  let rows = db
    .selectFrom('transactions')
    .innerJoin('merchants', 'merchants.id', 'transactions.merchant_id')
    .select(['transactions.id as transactionId', 'transactions.merchant_id', 'merchants.name'])
    .select(['transactions.order_id as orderId', 'transactions.amount_cents as amountCents'])
    .select(['transactions.paid_method as method', 'transactions.paid_at', 'transactions.created_at'])
    // A literal, because engines do not use a partial index for a parameter.
    .where('transactions.held', '=', sql.lit(1));
  if (page.merchantId !== null) rows = rows.where('transactions.merchant_id', '=', page.merchantId);
  if (page.after !== null) rows = rows.where('transactions.id', '>', page.after);
  return rows.orderBy('transactions.id').limit(page.limit).execute();
}

/** The sums of each merchant over the first `max` held transactions, largest first. */
export async function heldTotals(db: Queryable, max: number) {
  const held = db
    .selectFrom('transactions')
    .select(['id', 'merchant_id', 'amount_cents', 'paid_at'])
    .where('held', '=', sql.lit(1))
    .orderBy('id')
    .limit(max)
    .as('held');
  const rows = await db
    .selectFrom(held)
    .innerJoin('merchants', 'merchants.id', 'held.merchant_id')
    .select((eb) => [
      'merchants.id',
      'merchants.name',
      eb.fn.countAll().as('count'),
      eb.fn.sum('held.amount_cents').as('amount'),
      eb.fn.min('held.paid_at').as('oldest'),
    ])
    .groupBy(['merchants.id', 'merchants.name'])
    .execute();
  return rows
    .map((row) => ({
      merchantId: row.id,
      name: row.name,
      count: Number(row.count),
      amountCents: Number(row.amount),
      oldestPaidAt: row.oldest === null ? null : Number(row.oldest),
    }))
    .sort((a, b) => b.amountCents - a.amountCents);
}
