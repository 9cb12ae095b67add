import type { Queryable } from '../../db/database.ts';
import type { Id } from '../../kernel/ids.ts';

/** The newest transactions of a lead. */
export async function ordersOfLead(db: Queryable, leadId: Id<'led'>, limit: number) {
  return await db
    .selectFrom('transactions')
    .select(['id as transactionId', 'order_id as orderId', 'amount_cents as amountCents', 'status', 'held'])
    .select('created_at as createdAt')
    .where('lead_id', '=', leadId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
