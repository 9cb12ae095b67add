import type { Queryable } from '../../db/database.ts';
import type { MerchantRow } from '../../db/tables/merchants.ts';
import type { Id } from '../../kernel/ids.ts';

/** Names of merchants created before `before`, newest first. */
export async function merchantNamesBefore(db: Queryable, before: string | null, limit: number) {
  let query = db.selectFrom('merchants').select(['id', 'name']);
  if (before !== null) query = query.where('id', '<', before as Id<'mer'>);
  return query.orderBy('id', 'desc').limit(limit).execute();
}

export async function merchantsById(
  db: Queryable,
  ids: readonly Id<'mer'>[],
): Promise<Map<Id<'mer'>, MerchantRow>> {
  if (ids.length === 0) return new Map();
  const wanted = [...new Set(ids)];
  const rows = await db.selectFrom('merchants').selectAll().where('id', 'in', wanted).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The payments of merchants from the Lisbon day `from` on. */
export async function paidSince(
  db: Queryable,
  ids: readonly Id<'mer'>[],
  from: string,
): Promise<Map<Id<'mer'>, { cents: number; count: number }>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('daily_method_totals')
    .select(['merchant_id', (eb) => eb.fn.sum<number>('paid_cents').as('cents')])
    .select((eb) => eb.fn.sum<number>('paid_count').as('count'))
    .where('merchant_id', 'in', ids)
    .where('day', '>=', from)
    .groupBy('merchant_id')
    .execute();
  return new Map(rows.map((row) => [row.merchant_id, { cents: row.cents, count: row.count }]));
}
