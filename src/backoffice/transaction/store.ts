import type { Queryable } from '../../db/database.ts';
import type { Id } from '../../kernel/ids.ts';

/** Of each kind of row that can grow without bound, the newest so many. */
const ROWS_MAX = 200;

/** What the page's deliveries are made of, oldest first; of very many the oldest are left out. */
export async function deliveryRows(db: Queryable, transactionId: Id<'tx'>) {
  const rows = await db
    .selectFrom('deliveries')
    .select(['id', 'event_id', 'kind', 'state', 'lane_position', 'recovery_id', 'attempts_count'])
    .select(['created_at', 'finished_at', 'next_attempt_at'])
    .where('transaction_id', '=', transactionId)
    .orderBy('id', 'desc')
    .limit(ROWS_MAX)
    .execute();
  return rows.reverse();
}

/** The attempts of some deliveries, in their order, without what the endpoint answered. */
export async function deliveryAttemptRows(db: Queryable, ids: readonly Id<'dlv'>[]) {
  if (ids.length === 0) return [];
  return await db
    .selectFrom('delivery_attempts')
    .select(['delivery_id', 'number', 'started_at', 'duration_ms', 'status', 'error', 'error_detail'])
    .where('delivery_id', 'in', ids)
    .orderBy('delivery_id')
    .orderBy('number')
    .execute();
}

/** One delivery with the bytes of its event and its merchant's secrets, sealed; undefined when that merchant has none of this id. */
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

/** The attempts of one delivery with what the endpoint answered. */
export async function answeredAttempts(db: Queryable, id: Id<'dlv'>) {
  return await db
    .selectFrom('delivery_attempts')
    .select(['number', 'started_at', 'response'])
    .where('delivery_id', '=', id)
    .orderBy('number')
    .execute();
}

/** What people wrote about some receipts, oldest first. */
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

/** The lines of the audit log about any of `targets`, oldest first, each with whether its author is the operator's. */
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

export async function merchantName(db: Queryable, id: Id<'mer'>): Promise<string> {
  const row = await db.selectFrom('merchants').select('name').where('id', '=', id).executeTakeFirstOrThrow();
  return row.name;
}
