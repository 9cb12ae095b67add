import { type Insertable, type Selectable, sql } from 'kysely';
import type { Queryable, Tx } from '../db/database.ts';
import type { BankAccountTable, BankHintTable, BankRouteTable } from '../db/tables/banks.ts';
import type { Acquirer } from '../kernel/acquirer.ts';
import type { Id } from '../kernel/ids.ts';
import { type Scrub, scrubJson } from '../kernel/scrub.ts';

export type AccountRow = Selectable<BankAccountTable>;
export type RouteRow = Selectable<BankRouteTable>;
export type CallbackRow = Selectable<BankHintTable>;

const ACCOUNTS_SHOWN_MAX = 50;

// The expression of the unique index on current accounts; null is the default account.
const owner = sql<string>`coalesce(merchant_id, '')`;

/** The current account of exactly this owner at an acquirer; null is the default account. */
export async function currentAccount(db: Queryable, merchantId: Id<'mer'> | null, acquirer: Acquirer) {
  return db
    .selectFrom('bank_accounts')
    .selectAll()
    .where('current', '=', sql.lit<1>(1))
    .where(owner, '=', merchantId ?? '')
    .where('acquirer', '=', acquirer)
    .executeTakeFirst();
}

/** The accounts of exactly this owner at an acquirer, superseded ones included, the current and newer ones first. */
export async function ownAccounts(
  db: Queryable,
  merchantId: Id<'mer'> | null,
  acquirer: Acquirer,
): Promise<AccountRow[]> {
  return db
    .selectFrom('bank_accounts')
    .selectAll()
    .where(owner, '=', merchantId ?? '')
    .where('acquirer', '=', acquirer)
    .orderBy('current', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** The account of a merchant's new attempts at an acquirer: its own current one, or the default one. */
export async function usedAccount(db: Queryable, merchantId: Id<'mer'>, acquirer: Acquirer) {
  return (await currentAccount(db, merchantId, acquirer)) ?? (await currentAccount(db, null, acquirer));
}

/** The accounts of this owner, superseded ones included, current and newer ones first; null for the default accounts. */
export async function accountsOf(db: Queryable, merchantId: Id<'mer'> | null): Promise<AccountRow[]> {
  return db
    .selectFrom('bank_accounts')
    .selectAll()
    .where('merchant_id', merchantId === null ? 'is' : '=', merchantId)
    .orderBy('current', 'desc')
    .orderBy('id', 'desc')
    .limit(ACCOUNTS_SHOWN_MAX)
    .execute();
}

/** The routes of a merchant that differ from the default. */
export async function routesOf(db: Queryable, merchantId: Id<'mer'>): Promise<RouteRow[]> {
  return db.selectFrom('bank_routes').selectAll().where('merchant_id', '=', merchantId).execute();
}

export async function writeRoute(tx: Tx, row: RouteRow): Promise<void> {
  const { acquirer, fallback } = row;
  await tx
    .insertInto('bank_routes')
    .values(row)
    .onConflict((conflict) => conflict.columns(['merchant_id', 'method']).doUpdateSet({ acquirer, fallback }))
    .execute();
}

export async function accountById(db: Queryable, id: Id<'acc'>): Promise<AccountRow | undefined> {
  return db.selectFrom('bank_accounts').selectAll().where('id', '=', id).executeTakeFirst();
}

/** All accounts, superseded ones included, current ones first. Operators create them by hand, so there are few. */
export async function everyAccount(db: Queryable): Promise<AccountRow[]> {
  return db.selectFrom('bank_accounts').selectAll().orderBy('current', 'desc').orderBy('id').execute();
}

export async function insertAccount(tx: Tx, row: Insertable<BankAccountTable>): Promise<void> {
  await tx.insertInto('bank_accounts').values(row).execute();
}

export async function supersedeAccount(tx: Tx, id: Id<'acc'>): Promise<void> {
  await tx
    .updateTable('bank_accounts')
    .set({ current: 0 })
    .where('id', '=', id)
    .where('current', '=', 1)
    .execute();
}

/** Makes an account current, with new credentials; with `rereadList`, its list is read from the beginning again. */
export async function replaceCredentials(
  tx: Tx,
  id: Id<'acc'>,
  credentials: string,
  rereadList: boolean,
): Promise<void> {
  await tx
    .updateTable('bank_accounts')
    .set({ credentials, current: 1, ...(rereadList ? { list_read_at: null, long_read_at: null } : {}) })
    .where('id', '=', id)
    .execute();
}

/**
 * Moves the reconciliation cursors of the accounts with these encrypted credentials, which no two accounts share; `long` when the
 * read went 35 days back. False when any were replaced during the read: their account may have another list now.
 */
export async function markListRead(
  tx: Tx,
  credentials: readonly string[],
  startedAt: number,
  long: boolean,
): Promise<boolean> {
  const result = await tx
    .updateTable('bank_accounts')
    .set({ list_read_at: startedAt, ...(long ? { long_read_at: startedAt } : {}) })
    .where('credentials', 'in', credentials)
    .executeTakeFirst();
  return result.numUpdatedRows === BigInt(credentials.length);
}

/**
 * Leases an account's list to this process until `until`. False while another process holds the lease. A lease beyond
 * `latest` was set before the clock was set back, and is ignored.
 */
export async function claimListRead(
  tx: Tx,
  id: Id<'acc'>,
  lease: { now: number; until: number; latest: number },
): Promise<boolean> {
  const result = await tx
    .updateTable('bank_accounts')
    .set({ sweep_until: lease.until })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('sweep_until', 'is', null),
        eb('sweep_until', '<=', lease.now),
        eb('sweep_until', '>', lease.latest),
      ]),
    )
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Changes the end of the lease until `held`, unless another process holds the lease by now; null ends it. */
export async function releaseListRead(
  tx: Tx,
  id: Id<'acc'>,
  held: number,
  until: number | null,
): Promise<void> {
  await tx
    .updateTable('bank_accounts')
    .set({ sweep_until: until })
    .where('id', '=', id)
    .where('sweep_until', '=', held)
    .execute();
}

export async function releaseAllListReads(tx: Tx): Promise<void> {
  await tx.updateTable('bank_accounts').set({ sweep_until: null }).execute();
}

/** Inserts a callback notification; a repeated notification restarts its checks. */
export async function upsertCallback(tx: Tx, row: CallbackRow): Promise<void> {
  const { received_at, checks_count, check_at } = row;
  await tx
    .insertInto('bank_hints')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('identity').doUpdateSet({ received_at, checks_count, check_at }),
    )
    .execute();
}

/** Inserts the notification of a refund, which needs no check. False when it is known. */
export async function insertRefundNotification(tx: Tx, row: CallbackRow): Promise<boolean> {
  const result = await tx
    .insertInto('bank_hints')
    .values(row)
    .onConflict((conflict) => conflict.column('identity').doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/**
 * Callbacks whose next check is due, or was planned beyond `latest` before the clock was set back, the longest due first.
 */
export async function dueCallbacks(db: Queryable, now: number, latest: number, limit: number) {
  return (
    db
      .selectFrom('bank_hints')
      .selectAll()
      // The partial index needs this condition.
      .where('check_at', 'is not', null)
      .where((eb) => eb.or([eb('check_at', '<=', now), eb('check_at', '>', latest)]))
      .orderBy('check_at')
      .limit(limit)
      .execute()
  );
}

/** When the next check falls due; null when none is planned. */
export async function nextCallbackAt(db: Queryable): Promise<number | null> {
  const row = await db
    .selectFrom('bank_hints')
    .select('check_at')
    .where('check_at', 'is not', null)
    .orderBy('check_at')
    .limit(1)
    .executeTakeFirst();
  return row?.check_at ?? null;
}

/** Leases a due check to this process until `until`. False when another process did so first. */
export async function claimCallback(tx: Tx, callback: CallbackRow, until: number): Promise<boolean> {
  const result = await tx
    .updateTable('bank_hints')
    .set({ check_at: until })
    .where('id', '=', callback.id)
    .where('checks_count', '=', callback.checks_count)
    .where('received_at', '=', callback.received_at)
    .where('check_at', '=', callback.check_at)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Counts a check. Does nothing when the callback was received again in between, because its checks have restarted. */
export async function countCheck(tx: Tx, callback: CallbackRow, checkAt: number | null): Promise<void> {
  await tx
    .updateTable('bank_hints')
    .set({ checks_count: callback.checks_count + 1, check_at: checkAt })
    .where('id', '=', callback.id)
    .where('checks_count', '=', callback.checks_count)
    .where('received_at', '=', callback.received_at)
    .execute();
}

/** Removes a person's data from stored callback notifications of these bank orders. */
export async function eraseCallbacks(tx: Tx, bankOrderIds: readonly string[], scrub: Scrub): Promise<void> {
  if (bankOrderIds.length === 0) return;
  const rows = await tx
    .selectFrom('bank_hints')
    .select(['id', 'params'])
    .where('bank_order_id', 'in', bankOrderIds)
    .execute();
  for (const { id, params } of rows) {
    const scrubbed = scrubJson(scrub, params);
    if (scrubbed === params) continue;
    await tx.updateTable('bank_hints').set({ params: scrubbed }).where('id', '=', id).execute();
  }
}
