import { type Insertable, type Selectable, sql } from 'kysely';
import type { Queryable, Tx } from '../db/database.ts';
import type { PaymentLinkTable } from '../db/tables/checkout.ts';
import type { Id } from '../kernel/ids.ts';
import { hashToken } from './store.ts';

export type LinkRow = Selectable<PaymentLinkTable>;

export async function insertLink(tx: Tx, row: Insertable<PaymentLinkTable>): Promise<void> {
  await tx.insertInto('payment_links').values(row).execute();
}

export async function findLink(db: Queryable, id: Id<'lnk'>): Promise<LinkRow | undefined> {
  return db.selectFrom('payment_links').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The link whose page has this token. `lock` locks its row until the end of the transaction. */
export async function linkOfToken(db: Queryable, token: string, lock = false): Promise<LinkRow | undefined> {
  return db
    .selectFrom('payment_links')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .$if(lock, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
}

/** Counts a use of a locked link; false when a concurrent use was counted first. */
export async function countUse(tx: Tx, { id, uses_count: uses }: LinkRow): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('payment_links')
    .set({ uses_count: uses + 1 })
    .where('id', '=', id)
    .where('uses_count', '=', uses)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Closes a link; false when it is closed already, or unknown. */
export async function closeOpenLink(tx: Tx, id: Id<'lnk'>, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('payment_links')
    .set({ closed_at: now })
    .where('id', '=', id)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** One page of a merchant's links: oldest first after the id `place`, or newest first before it. */
export async function linkPage(
  db: Queryable,
  merchantId: Id<'mer'>,
  { place, limit, newestFirst }: { place: string | null; limit: number; newestFirst: boolean },
): Promise<LinkRow[]> {
  let links = db.selectFrom('payment_links').selectAll().where('merchant_id', '=', merchantId);
  if (place !== null) links = links.where('id', newestFirst ? '<' : '>', place as Id<'lnk'>);
  return links
    .orderBy('id', newestFirst ? 'desc' : 'asc')
    .limit(limit)
    .execute();
}

/** How many orders of each link were paid, and their sum. */
export async function salesOf(db: Queryable, ids: readonly Id<'lnk'>[]) {
  const sales = new Map<Id<'lnk'>, { count: number; cents: number }>();
  if (ids.length === 0) return sales;
  const rows = await db
    .selectFrom('checkout_sessions')
    .innerJoin('transactions', 'transactions.session_id', 'checkout_sessions.id')
    .select((eb) => [
      'link_id',
      eb.fn.countAll().as('count'),
      eb.fn.sum('transactions.amount_cents').as('cents'),
    ])
    .where('link_id', 'in', ids)
    .where('session_paid', '=', 1)
    .groupBy('link_id')
    .execute();
  for (const { link_id: id, count, cents } of rows)
    if (id !== null) sales.set(id, { count: Number(count), cents: Number(cents) });
  return sales;
}

/** The titles of the payment links that led to these sessions, by session. */
export async function linkTitles(db: Queryable, sessionIds: readonly Id<'cs'>[]) {
  if (sessionIds.length === 0) return new Map<Id<'cs'>, string>();
  const rows = await db
    .selectFrom('checkout_sessions')
    .innerJoin('payment_links', 'payment_links.id', 'checkout_sessions.link_id')
    .select(['checkout_sessions.id', 'title'])
    .where('checkout_sessions.id', 'in', sessionIds)
    .execute();
  return new Map(rows.map(({ id, title }) => [id, title]));
}

/** The title of the payment link that led to a transaction; null without one. */
export async function linkTitleOf(db: Queryable, { session_id: id }: { session_id: Id<'cs'> | null }) {
  return id === null ? null : ((await linkTitles(db, [id])).get(id) ?? null);
}

/** The newest paid orders of a link, with the phone number or the reference that paid each. Held sales are not among them. */
export async function paidOrders(db: Queryable, id: Id<'lnk'>, limit: number) {
  return await db
    .selectFrom('checkout_sessions')
    .innerJoin('transactions', 'transactions.session_id', 'checkout_sessions.id')
    .select(['transactions.id as transactionId', 'transactions.order_id as orderId'])
    .select(['transactions.amount_cents as amountCents', 'transactions.paid_method as method'])
    .select('transactions.paid_at as paidAt')
    .leftJoin('attempts', 'attempts.id', 'transactions.paid_attempt_id')
    .select(['attempts.phone_number as phoneNumber', 'attempts.reference'])
    .where('checkout_sessions.link_id', '=', id)
    .where('transactions.session_paid', '=', sql.lit(1))
    .orderBy('transactions.id', 'desc')
    .limit(limit)
    .execute();
}
