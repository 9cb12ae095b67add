import { sql } from 'kysely';
import type { Queryable } from '../../db/database.ts';
import type { Id } from '../../kernel/ids.ts';

/** The newest paid orders of a link. Held sales are not among them. */
export async function paidOrders(db: Queryable, id: Id<'lnk'>, limit: number) {
  return await db
    .selectFrom('checkout_sessions')
    .innerJoin('transactions', 'transactions.session_id', 'checkout_sessions.id')
    .select(['transactions.id as transactionId', 'transactions.order_id as orderId'])
    .select(['transactions.amount_cents as amountCents', 'transactions.paid_method as method'])
    .select('transactions.paid_at as paidAt')
    .where('checkout_sessions.link_id', '=', id)
    .where('transactions.session_paid', '=', sql.lit(1))
    .orderBy('transactions.id', 'desc')
    .limit(limit)
    .execute();
}
