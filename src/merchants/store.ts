import { sql } from 'kysely';
import type { Queryable, Tx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { ApiKeyTable, MerchantRow, NewMerchant } from '../db/tables/merchants.ts';
import { Missing } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';

export async function insertMerchant(tx: Tx, merchant: NewMerchant): Promise<void> {
  await tx.insertInto('merchants').values(merchant).execute();
}

/** The merchant's row, or null. */
export async function selectMerchant(db: Queryable, id: Id<'mer'>): Promise<MerchantRow | null> {
  const row = await db.selectFrom('merchants').selectAll().where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

/** The merchant's row. Throws Missing on an unknown id. */
export async function requireMerchant(db: Queryable, id: Id<'mer'>): Promise<MerchantRow> {
  const row = await selectMerchant(db, id);
  if (row === null) throw new Missing('merchant', id);
  return row;
}

/** Locks the merchant's row, for changes that depend on other rows of the merchant. Throws Missing on an unknown id. */
export async function lockMerchant(tx: Tx, id: Id<'mer'>): Promise<MerchantRow> {
  await tx.selectFrom('merchants').select('id').where('id', '=', id).forNoKeyUpdate().execute();
  return requireMerchant(tx, id);
}

/** Merchants with an id above `after`, the oldest first. */
export async function selectMerchants(
  db: Queryable,
  { after = '', limit }: { after?: string | undefined; limit: number },
) {
  return await db
    .selectFrom('merchants')
    .selectAll()
    .where('id', '>', after as Id<'mer'>)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** The settings that are on or off, with their columns. */
export const SWITCHES = {
  active: 'active',
  hold: 'hold',
  /** Whether the owner may refund the merchant's payments. */
  refunds: 'refunds',
  /** Whether refunds send `payment.refunded`. */
  refundEvents: 'refund_events',
  autoRecover: 'auto_recover',
  customerMails: 'customer_mails',
  alerts: 'alerts',
  webhookEnabled: 'webhook_enabled',
} as const;
export type Switch = keyof typeof SWITCHES;

export type MerchantChange = Partial<
  Pick<
    MerchantRow,
    | (typeof SWITCHES)[Switch]
    | 'webhook_url'
    | 'team_factor_at'
    | 'previous_webhook_secret'
    | 'previous_secret_until'
  >
>;

/** Updates the given columns; without any it does nothing. */
export async function updateMerchant(tx: Tx, id: Id<'mer'>, change: MerchantChange): Promise<void> {
  if (Object.keys(change).length === 0) return;
  await tx.updateTable('merchants').set(change).where('id', '=', id).execute();
}

/** Sets the time of the first paid sale. Later sales update no row, so that payments do not wait for each other. */
export async function markFirstPaid(tx: Tx, id: Id<'mer'>, now: number): Promise<void> {
  await tx
    .updateTable('merchants')
    .set({ first_paid_at: now })
    .where('id', '=', id)
    .where('first_paid_at', 'is', null)
    .execute();
}

/** Replaces the encrypted secret `old`. Resolves to false when it is not the current one. */
export async function replaceWebhookSecret(
  tx: Tx,
  id: Id<'mer'>,
  old: string,
  secrets: { current: string; previous: { secret: string; until: number } | null },
): Promise<boolean> {
  const result = await tx
    .updateTable('merchants')
    .set({
      webhook_secret: secrets.current,
      previous_webhook_secret: secrets.previous?.secret ?? null,
      previous_secret_until: secrets.previous?.until ?? null,
    })
    .where('id', '=', id)
    .where('webhook_secret', '=', old)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** The merchant's registered patterns, in alphabetical order. */
export async function listDomains(db: Queryable, merchantId: Id<'mer'>): Promise<string[]> {
  return (await domainsOf(db, { merchantId })).map(({ domain }) => domain);
}

/** Names its columns, because only such a statement is prepared on PostgreSQL. */
function domainRows(db: Queryable) {
  return db.selectFrom('store_domains').select(['merchant_id', 'domain', 'created_at']).orderBy('domain');
}

/** The merchant's registered patterns with the time of registration, in alphabetical order. */
export const domainsOf = prepared(
  (db, { merchantId }: { merchantId: Id<'mer'> }) => domainRows(db).where('merchant_id', '=', merchantId),
  { oncePerSnapshot: true },
);

/** The patterns of these merchants, each list in alphabetical order. */
export async function domainsByMerchant(db: Queryable, merchantIds: readonly Id<'mer'>[]) {
  const domains = new Map<Id<'mer'>, string[]>(merchantIds.map((id) => [id, []]));
  if (merchantIds.length === 0) return domains;
  const rows = await domainRows(db).where('merchant_id', 'in', merchantIds).execute();
  for (const row of rows) domains.get(row.merchant_id)?.push(row.domain);
  return domains;
}

/** Inserts patterns. Existing ones stay as they are. */
export async function insertDomains(
  tx: Tx,
  merchantId: Id<'mer'>,
  domains: readonly string[],
  now: number,
): Promise<void> {
  const rows = domains.map((domain) => ({ merchant_id: merchantId, domain, created_at: now }));
  await tx
    .insertInto('store_domains')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['merchant_id', 'domain']).doNothing())
    .execute();
}

/** Resolves to the number of deleted rows, 0 or 1. */
export async function deleteDomain(tx: Tx, merchantId: Id<'mer'>, domain: string): Promise<number> {
  const result = await tx
    .deleteFrom('store_domains')
    .where('merchant_id', '=', merchantId)
    .where('domain', '=', domain)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

export async function insertApiKey(tx: Tx, key: ApiKeyTable): Promise<void> {
  await tx.insertInto('api_keys').values(key).execute();
}

/**
 * Sets the expiry of a named key of the merchant, or of its keys without a name (null). A key that expires earlier keeps its
 * expiry. Without grace, no request finds the key again, whatever a clock shows. Resolves to the number of changed keys.
 */
export async function endApiKeys(
  tx: Tx,
  merchantId: Id<'mer'>,
  named: Id<'key'> | null,
  now: number,
  graceMs = 0,
): Promise<number> {
  const at = now + graceMs;
  const keys = tx
    .updateTable('api_keys')
    .set({ expires_at: at, ...(graceMs === 0 && { hash: sql<string>`'ended:' || id` }) })
    .where('merchant_id', '=', merchantId);
  const chosen =
    named === null
      ? keys.where('name', 'is', null)
      : keys.where('id', '=', named).where('name', 'is not', null);
  const result = await chosen
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** The keys of a merchant, newest first: all, those that work at an instant, or those that have ended at one. */
export async function selectKeys(
  db: Queryable,
  merchantId: Id<'mer'>,
  limit: number,
  { workingAt, endedAt }: { workingAt?: number; endedAt?: number } = {},
) {
  let keys = db.selectFrom('api_keys').selectAll().where('merchant_id', '=', merchantId);
  if (workingAt !== undefined)
    keys = keys.where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', workingAt)]));
  if (endedAt !== undefined) keys = keys.where('expires_at', '<=', endedAt);
  return await keys.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

export async function findOwnKey(db: Queryable, merchantId: Id<'mer'>, id: Id<'key'>) {
  return await db
    .selectFrom('api_keys')
    .select(['id', 'secret', 'name', 'expires_at'])
    .where('id', '=', id)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
}
