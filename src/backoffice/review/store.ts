import { sql } from 'kysely';
import type { Queryable } from '../../db/database.ts';
import type { PaymentMethod } from '../../db/tables/tables.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Cents } from '../../kernel/money.ts';

/** A sale whose money is here and that the merchant still sees as it was. */
export interface HeldRow {
  id: Id<'tx'>;
  merchant_id: Id<'mer'>;
  merchant_name: string;
  order_id: string;
  amount_cents: Cents;
  paid_at: number | null;
  paid_method: PaymentMethod | null;
  status: string;
  created_at: number;
}

/** A page of held sales, the oldest first. */
export async function heldRows(
  db: Queryable,
  page: { merchantId: Id<'mer'> | null; after: Id<'tx'> | null; limit: number },
): Promise<HeldRow[]> {
  let rows = db
    .selectFrom('transactions')
    .innerJoin('merchants', 'merchants.id', 'transactions.merchant_id')
    .select([
      'transactions.id',
      'transactions.merchant_id',
      'merchants.name as merchant_name',
      'transactions.order_id',
      'transactions.amount_cents',
      'transactions.paid_at',
      'transactions.paid_method',
      'transactions.status',
      'transactions.created_at',
    ])
    // A literal, not a parameter: only then may the engines use the partial index made for it.
    .where('transactions.held', '=', sql.lit(1));
  if (page.merchantId !== null) rows = rows.where('transactions.merchant_id', '=', page.merchantId);
  if (page.after !== null) rows = rows.where('transactions.id', '>', page.after);
  return rows.orderBy('transactions.id').limit(page.limit).execute();
}

export interface HeldTotals {
  merchantId: Id<'mer'>;
  name: string;
  count: number;
  amountCents: number;
  oldestPaidAt: number | null;
}

/** What is held of each merchant, of the first `max` sales, the largest sum first. */
export async function heldTotals(db: Queryable, max: number): Promise<HeldTotals[]> {
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
