import type { Queryable } from '../../db/database.ts';
import type { Id } from '../../kernel/ids.ts';

/** The maximum number of rows of each kind that can grow without bound. */
const ROWS_MAX = 200;

/** One delivery with the body of its event and the merchant's encrypted secrets, if it is the merchant's. */
export async function ownDelivery(db: Queryable, id: Id<'dlv'>, merchantId: Id<'mer'>) {
  return await db
    .selectFrom('deliveries as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .innerJoin('merchants as m', 'm.id', 'd.merchant_id')
    .select(['d.id', 'd.kind', 'd.event_id', 'e.body', 'm.webhook_url', 'm.webhook_secret'])
    .select(['m.previous_webhook_secret', 'm.previous_secret_until'])
    .where('d.id', '=', id)
    .where('d.merchant_id', '=', merchantId)
    .executeTakeFirst();
}

/** The notes on some receipts, oldest first. */
export async function notesOf(db: Queryable, receiptIds: readonly Id<'rcp'>[]) {
  if (receiptIds.length === 0) return [];
  return await db
    .selectFrom('receipt_notes')
    .selectAll()
    .where('receipt_id', 'in', receiptIds)
    .orderBy('id')
    .limit(ROWS_MAX)
    .execute();
}

/** The audit log entries about any of `targets`, oldest first, and whether their authors are operators. */
export async function auditOf(db: Queryable, targets: readonly string[]) {
  return await db
    .selectFrom('audit_log as a')
    .leftJoin('users as u', 'u.id', 'a.user_id')
    .select(['a.id', 'a.at', 'a.actor', 'a.action', 'a.target', 'a.merchant_id', 'u.operator'])
    .where('a.target', 'in', targets)
    .orderBy('a.id')
    .limit(ROWS_MAX)
    .execute();
}
