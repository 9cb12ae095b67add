import type { Queryable } from '../../db/database.ts';
import type { TransactionStatus } from '../../db/tables/tables.ts';
import type { Id } from '../../kernel/ids.ts';

export interface LeadOrder {
  transactionId: Id<'tx'>;
  orderId: string;
  amountCents: number;
  status: TransactionStatus;
  held: boolean;
  createdAt: number;
}

/** The newest transactions of a lead. */
export async function ordersOfLead(db: Queryable, leadId: Id<'led'>, limit: number): Promise<LeadOrder[]> {
  const rows = await db
    .selectFrom('transactions')
    .select(['id', 'order_id', 'amount_cents', 'status', 'held', 'created_at'])
    .where('lead_id', '=', leadId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    transactionId: row.id,
    orderId: row.order_id,
    amountCents: Number(row.amount_cents),
    status: row.status,
    held: row.held === 1,
    createdAt: Number(row.created_at),
  }));
}
