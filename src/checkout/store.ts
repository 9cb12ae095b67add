import { hash } from 'node:crypto';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Queryable, Tx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { CheckoutPushTable, CheckoutSessionTable } from '../db/tables/checkout.ts';
import { CLOCK_DIFFERENCE_MS_MAX } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import type { Scrub } from '../kernel/scrub.ts';
import { scrubbedUrl } from './return-url.ts';

export type SessionRow = Selectable<CheckoutSessionTable>;

export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/** Separates the idempotency keys of sessions from those of init, which contain no control characters. */
export function answerKey(idempotencyKey: string): string {
  return `checkout\n${idempotencyKey}`;
}

export async function insertSession(tx: Tx, row: Insertable<CheckoutSessionTable>): Promise<void> {
  await tx.insertInto('checkout_sessions').values(row).execute();
}

export async function findOwnSession(db: Queryable, id: string, merchantId: Id<'mer'>) {
  return db
    .selectFrom('checkout_sessions')
    .selectAll()
    .where('id', '=', id as Id<'cs'>)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
}

/** The session whose page has this token. `lock` locks its row until the end of the transaction. */
export async function sessionOfToken(
  db: Queryable,
  token: string,
  lock = false,
): Promise<SessionRow | undefined> {
  return db
    .selectFrom('checkout_sessions')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .$if(lock, (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
}

/** The session whose page has this token, with its merchant, the merchant's brand and the title of its payment link, in one query. */
export async function pageOfToken(db: Queryable, token: string) {
  return (await pageOfTokenHash(db, { hash: hashToken(token) }))[0];
}

const pageOfTokenHash = prepared((db, { hash }: { hash: string }) =>
  db
    .selectFrom('checkout_sessions')
    .innerJoin('merchants', 'merchants.id', 'checkout_sessions.merchant_id')
    .leftJoin('merchant_brands', 'merchant_brands.merchant_id', 'checkout_sessions.merchant_id')
    .leftJoin('payment_links', 'payment_links.id', 'checkout_sessions.link_id')
    .selectAll('checkout_sessions')
    .select('payment_links.title as link_title')
    .select(['merchants.name as merchant_name', 'merchants.active as merchant_active'])
    .select(['merchant_brands.accent', 'merchant_brands.logo_hash'])
    .where('checkout_sessions.token_hash', '=', hash),
);

/**
 * Cuts the return addresses of a session that name the erased person down to their store. Locks the session, so that no step copies
 * an order that is being erased.
 */
export async function eraseReturnUrls(tx: Tx, id: Id<'cs'>, scrub: Scrub): Promise<void> {
  const session = await tx
    .selectFrom('checkout_sessions')
    .select(['success_url', 'cancel_url'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (session === undefined) return;
  const { success_url, cancel_url } = session;
  const cut = { success_url: scrubbedUrl(success_url, scrub), cancel_url: scrubbedUrl(cancel_url, scrub) };
  if (cut.success_url === success_url && cut.cancel_url === cancel_url) return;
  await tx.updateTable('checkout_sessions').set(cut).where('id', '=', id).execute();
}

export async function setNotice(tx: Tx, id: Id<'cs'>, notice: string | null): Promise<void> {
  await tx.updateTable('checkout_sessions').set({ notice }).where('id', '=', id).execute();
}

/** Inserts a push that counts against the limits of the page. */
export async function insertPush(tx: Tx, push: CheckoutPushTable): Promise<void> {
  await tx.insertInto('checkout_pushes').values(push).execute();
}

/**
 * When the `rank`-th newest push of a session or a phone within `windowMs` before `now` was sent; null when there are fewer. Pushes
 * from before the clock was set back lie ahead and do not count.
 */
export async function pushWithin(
  tx: Tx,
  of: { session_id: Id<'cs'> } | { phone_number: string },
  { now, windowMs }: { now: number; windowMs: number },
  rank: number,
): Promise<number | null> {
  let query = tx
    .selectFrom('checkout_pushes')
    .select('created_at')
    .where('created_at', '>', now - windowMs)
    .where('created_at', '<=', now + CLOCK_DIFFERENCE_MS_MAX);
  query =
    'session_id' in of
      ? query.where('session_id', '=', of.session_id)
      : query.where('phone_number', '=', of.phone_number);
  const row = await query
    .orderBy('created_at', 'desc')
    .offset(rank - 1)
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : Number(row.created_at);
}

const FORGOTTEN_MAX = 20;

/** Deletes a few pushes sent at `before` or earlier, which no longer count. */
export async function forgetPushes(tx: Tx, before: number): Promise<void> {
  const old = tx
    .selectFrom('checkout_pushes')
    .select('attempt_id')
    .where('created_at', '<=', before)
    .orderBy('created_at')
    .limit(sql.lit(FORGOTTEN_MAX))
    .forUpdate()
    .skipLocked();
  await tx.deleteFrom('checkout_pushes').where('attempt_id', 'in', old).execute();
}

/** Deletes the pushes of these attempts, phone number included. They no longer count against the limits. */
export async function deletePushes(tx: Tx, attemptIds: readonly Id<'att'>[]): Promise<void> {
  if (attemptIds.length === 0) return;
  await tx.deleteFrom('checkout_pushes').where('attempt_id', 'in', attemptIds).execute();
}
