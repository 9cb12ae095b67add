import { setImmediate as nextTurn } from 'node:timers/promises';
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

/** The sessions that one query adds up. On SQLite a query holds up every other request. */
const SESSIONS_SUMMED_MAX = 2000;

/** How many orders of each link were paid, and their sum. */
export async function salesOf(db: Queryable, links: readonly Pick<LinkRow, 'id' | 'uses_count'>[]) {
  const sales = new Map<Id<'lnk'>, { count: number; cents: number }>();
  for (const ids of summedTogether(links)) {
    for (let after = '', isMore = true; isMore; await nextTurn()) {
      const rows = await salesAfter(db, ids, after);
      for (const { linkId, count, cents } of rows) {
        const before = sales.get(linkId) ?? { count: 0, cents: 0 };
        sales.set(linkId, { count: before.count + Number(count), cents: before.cents + Number(cents) });
      }
      const [only] = rows;
      isMore = ids.length === 1 && Number(only?.sessions) === SESSIONS_SUMMED_MAX;
      after = only?.last ?? '';
    }
  }
  return sales;
}

/** Groups links whose sessions one query can add up. A link with more sessions is alone. */
function summedTogether(links: readonly Pick<LinkRow, 'id' | 'uses_count'>[]): Id<'lnk'>[][] {
  const groups: Id<'lnk'>[][] = [];
  let room = 0;
  for (const { id, uses_count: uses } of links) {
    if (uses === 0) continue;
    if (uses > room) {
      groups.push([]);
      room = SESSIONS_SUMMED_MAX;
    }
    groups.at(-1)?.push(id);
    room -= uses;
  }
  return groups;
}

/** The sales of these links or, of a link that is alone, of its next sessions after the id `after`. */
async function salesAfter(db: Queryable, ids: readonly Id<'lnk'>[], after: string) {
  let found = db.selectFrom('checkout_sessions').select(['id', 'link_id']).where('link_id', 'in', ids);
  // Of several links in this order, PostgreSQL would read all sessions.
  if (ids.length === 1) {
    found = found
      .where('id', '>', after as Id<'cs'>)
      .orderBy('id')
      .limit(sql.lit(SESSIONS_SUMMED_MAX));
  }
  const sessions = found.as('sessions');
  return await db
    .selectFrom(sessions)
    .leftJoin('transactions', (join) =>
      join.onRef('transactions.session_id', '=', 'sessions.id').on('session_paid', '=', sql.lit(1)),
    )
    .select((eb) => [
      eb.ref('sessions.link_id').$notNull().as('linkId'),
      eb.fn.count('transactions.id').as('count'),
      eb.fn.coalesce(eb.fn.sum('transactions.amount_cents'), sql.lit(0)).as('cents'),
      eb.fn.countAll().as('sessions'),
      eb.fn.max('sessions.id').as('last'),
    ])
    .groupBy('sessions.link_id')
    .execute();
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
    .orderBy('checkout_sessions.id', 'desc')
    .limit(limit)
    .execute();
}
