import { sql } from 'kysely';
import type { Queryable } from '../../db/database.ts';
import type { Id } from '../../kernel/ids.ts';

/** The totals of each day and method from `from` to `to`, both included; days without payments have no row. */
export async function methodDays(db: Queryable, merchantId: Id<'mer'>, range: { from: string; to: string }) {
  return await db
    .selectFrom('daily_method_totals')
    .select(['day', 'method'])
    .select(({ fn }) => [
      fn.sum<number>('attempts_count').as('attempts_count'),
      fn.sum<number>('paid_count').as('paid_count'),
      fn.sum<number>('paid_cents').as('paid_cents'),
    ])
    .where('merchant_id', '=', merchantId)
    .where('day', '>=', range.from)
    .where('day', '<=', range.to)
    .groupBy(['day', 'method'])
    .orderBy('day')
    .execute();
}

/** The merchant's pending payments, from the totals of all days. */
export async function pendingNow(db: Queryable, merchantId: Id<'mer'>) {
  const row = await db
    .selectFrom('daily_totals')
    .select([
      sql<number | null>`sum(created_count - ended_count)`.as('count'),
      sql<number | null>`sum(created_cents - ended_cents)`.as('cents'),
    ])
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  return { count: Number(row?.count ?? 0), cents: Number(row?.cents ?? 0) };
}

const ROWS_READ_MAX = 1000;

/** The first steps of a new account, from bounded numbers of its keys and deliveries. */
export async function firstSteps(db: Queryable, merchantId: Id<'mer'>) {
  const newestKeys = db
    .selectFrom('api_keys')
    .select('last_used_at')
    .where('merchant_id', '=', merchantId)
    .orderBy('created_at', 'desc')
    .limit(ROWS_READ_MAX)
    .as('keys');
  const firstDeliveries = db
    .selectFrom('deliveries')
    .select('state')
    .where('merchant_id', '=', merchantId)
    .orderBy('id')
    .limit(ROWS_READ_MAX)
    .as('first');
  const row = await db
    .selectFrom('merchants')
    .select(['webhook_url', 'webhook_enabled', 'first_paid_at'])
    .select((eb) => [
      eb
        .selectFrom('store_domains')
        .select('domain')
        .where('merchant_id', '=', merchantId)
        .limit(1)
        .as('domain'),
      eb
        .selectFrom(newestKeys)
        .select((keys) => keys.fn.max('last_used_at').as('at'))
        .as('keyUsedAt'),
      eb.selectFrom(firstDeliveries).select('state').where('state', '=', 'delivered').limit(1).as('answered'),
    ])
    .where('id', '=', merchantId)
    .executeTakeFirstOrThrow();
  return {
    domain: row.domain !== null,
    key: row.keyUsedAt !== null,
    webhookSet: row.webhook_url !== null && row.webhook_enabled === 1,
    webhookAnswered: row.answered !== null,
    firstPayment: row.first_paid_at !== null,
    firstPaidAt: row.first_paid_at,
  };
}
