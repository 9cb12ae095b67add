import { sql } from 'kysely';
import type { Queryable } from '../../db/database.ts';
import type { MerchantTable } from '../../db/tables/tables.ts';
import type { Id } from '../../kernel/ids.ts';

/** Merchants' names, the newest merchant first, before the one named. */
export async function merchantNames(
  db: Queryable,
  before: string | null,
  limit: number,
): Promise<{ id: Id<'mer'>; name: string }[]> {
  let query = db.selectFrom('merchants').select(['id', 'name']);
  if (before !== null) query = query.where('id', '<', before as Id<'mer'>);
  return query.orderBy('id', 'desc').limit(limit).execute();
}

export async function merchantsById(
  db: Queryable,
  ids: readonly Id<'mer'>[],
): Promise<Map<Id<'mer'>, MerchantTable>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('merchants').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** What merchants took from the Lisbon day `from` on. */
export async function takenSince(
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
  return new Map(
    rows.map((row) => [row.merchant_id, { cents: Number(row.cents), count: Number(row.count) }]),
  );
}

/** Which of these merchants have an event that ended undelivered since `floor` and that no later try delivered. */
export async function merchantsUndelivered(
  db: Queryable,
  ids: readonly Id<'mer'>[],
  floor: Id<'dlv'>,
): Promise<Set<Id<'mer'>>> {
  if (ids.length === 0) return new Set();
  // The first condition is the partial index's own, so that it is chosen.
  const { rows } = await sql<{ id: Id<'mer'> }>`
    select m.id from merchants m
    where m.id in (${sql.join(ids)}) and exists (
      select 1 from deliveries d
      where d.state in ('undelivered', 'skipped') and d.state = 'undelivered'
        and d.merchant_id = m.id and d.id > ${floor}
        and not exists (
          select 1 from deliveries later
          where later.event_id = d.event_id and later.id > d.id and later.state in ('delivered', 'due')
        )
    )`.execute(db);
  return new Set(rows.map((row) => row.id));
}

/** The current accounts at the bank of a merchant and of the platform, without their credentials. */
export async function currentAccounts(db: Queryable, merchantId: Id<'mer'>) {
  return await db
    .selectFrom('bank_accounts')
    .select(['id', 'merchant_id', 'created_at', 'list_read_at'])
    .where('current', '=', 1)
    .where((eb) => eb.or([eb('merchant_id', '=', merchantId), eb('merchant_id', 'is', null)]))
    .execute();
}

/** The platform's current account at the bank, without its credentials. */
export async function defaultAccount(db: Queryable) {
  return await db
    .selectFrom('bank_accounts')
    .select(['id', 'created_at', 'list_read_at'])
    .where('current', '=', 1)
    .where('merchant_id', 'is', null)
    .executeTakeFirst();
}
