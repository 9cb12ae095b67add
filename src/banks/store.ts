import { type Insertable, type Selectable, sql } from 'kysely';
import type { Queryable, Tx } from '../db/database.ts';
import type { BankAccountTable, BankHintTable } from '../db/tables/banks.ts';
import type { AttemptState, PaymentMethod } from '../db/tables/tables.ts';
import type { Id } from '../kernel/ids.ts';
import type { Cents } from '../kernel/money.ts';
import { type Scrub, scrubJson } from '../kernel/scrub.ts';

export type AccountRow = Selectable<BankAccountTable>;
export type HintRow = Selectable<BankHintTable>;

// The expression of the unique index on current accounts: null means the default account.
const owner = sql<string>`coalesce(merchant_id, '')`;

/** The current account of exactly this owner; null is the default one. */
export async function currentAccount(
  db: Queryable,
  merchantId: Id<'mer'> | null,
): Promise<AccountRow | undefined> {
  return db
    .selectFrom('bank_accounts')
    .selectAll()
    .where('current', '=', sql.lit<1>(1))
    .where(owner, '=', merchantId ?? '')
    .executeTakeFirst();
}

export async function accountById(db: Queryable, id: Id<'acc'>): Promise<AccountRow | undefined> {
  return db.selectFrom('bank_accounts').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Every account, superseded ones included: the operator makes them by hand, so they are few. Current ones first. */
export async function everyAccount(db: Queryable): Promise<AccountRow[]> {
  return db.selectFrom('bank_accounts').selectAll().orderBy('current', 'desc').orderBy('id').execute();
}

export async function insertAccount(tx: Tx, row: Insertable<BankAccountTable>): Promise<void> {
  await tx.insertInto('bank_accounts').values(row).execute();
}

/** Makes way for a successor. False when the account is not current any more. */
export async function supersedeAccount(tx: Tx, id: Id<'acc'>): Promise<boolean> {
  const result = await tx
    .updateTable('bank_accounts')
    .set({ current: 0 })
    .where('id', '=', id)
    .where('current', '=', 1)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** New credentials for the same account; with `rereadList` its list is read from the beginning again. */
export async function replaceCredentials(
  tx: Tx,
  id: Id<'acc'>,
  credentials: string,
  rereadList: boolean,
): Promise<boolean> {
  const result = await tx
    .updateTable('bank_accounts')
    .set({ credentials, ...(rereadList ? { list_read_at: null, long_read_at: null } : {}) })
    .where('id', '=', id)
    .where('current', '=', 1)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function merchantExists(db: Queryable, id: Id<'mer'>): Promise<boolean> {
  return (
    (await db.selectFrom('merchants').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
  );
}

/** Moves the sweep's cursor of these accounts; `long` when the read reached 35 days back. */
export async function markListRead(
  tx: Tx,
  ids: readonly Id<'acc'>[],
  startedAt: number,
  long: boolean,
): Promise<void> {
  await tx
    .updateTable('bank_accounts')
    .set({ list_read_at: startedAt, ...(long ? { long_read_at: startedAt } : {}) })
    .where('id', 'in', ids)
    .execute();
}

/**
 * Takes the turn to read an account's list, until `until`. False while another process has it. A turn that ends later
 * than `latest` was taken by a clock that has been set back since, and counts for nothing.
 */
export async function takeSweep(
  tx: Tx,
  id: Id<'acc'>,
  turn: { now: number; until: number; latest: number },
): Promise<boolean> {
  const result = await tx
    .updateTable('bank_accounts')
    .set({ sweep_until: turn.until })
    .where('id', '=', id)
    .where((eb) =>
      eb.or([
        eb('sweep_until', 'is', null),
        eb('sweep_until', '<=', turn.now),
        eb('sweep_until', '>', turn.latest),
      ]),
    )
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Sets the end of the turn that this process has. */
export async function endSweep(tx: Tx, id: Id<'acc'>, until: number): Promise<void> {
  await tx.updateTable('bank_accounts').set({ sweep_until: until }).where('id', '=', id).execute();
}

/** Writes a hint; one that is known already is armed again, with its looks before it. */
export async function armHint(tx: Tx, row: HintRow): Promise<void> {
  const { received_at, checks_count, check_at } = row;
  await tx
    .insertInto('bank_hints')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('identity').doUpdateSet({ received_at, checks_count, check_at }),
    )
    .execute();
}

/** Hints whose next look is due, the longest due first. */
export async function dueHints(db: Queryable, now: number, limit: number): Promise<HintRow[]> {
  return db
    .selectFrom('bank_hints')
    .selectAll()
    .where('check_at', '<=', now)
    .orderBy('check_at')
    .limit(limit)
    .execute();
}

/** When the next hint falls due; null when none is planned. */
export async function nextHintAt(db: Queryable): Promise<number | null> {
  const row = await db
    .selectFrom('bank_hints')
    .select('check_at')
    .where('check_at', 'is not', null)
    .orderBy('check_at')
    .limit(1)
    .executeTakeFirst();
  return row?.check_at ?? null;
}

/** Puts the next look off until `until`, for whoever does this one. False when another process did so first. */
export async function claimHint(tx: Tx, hint: HintRow, until: number): Promise<boolean> {
  const result = await tx
    .updateTable('bank_hints')
    .set({ check_at: until })
    .where('id', '=', hint.id)
    .where('checks_count', '=', hint.checks_count)
    .where('received_at', '=', hint.received_at)
    .where('check_at', '=', hint.check_at)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Notes a look; does nothing when the hint was armed again meanwhile, because then it starts over. */
export async function countLook(tx: Tx, hint: HintRow, checkAt: number | null): Promise<void> {
  await tx
    .updateTable('bank_hints')
    .set({ checks_count: hint.checks_count + 1, check_at: checkAt })
    .where('id', '=', hint.id)
    .where('checks_count', '=', hint.checks_count)
    .where('received_at', '=', hint.received_at)
    .execute();
}

export interface HintedAttempt {
  id: Id<'att'>;
  account_id: Id<'acc'>;
  method: PaymentMethod;
  state: AttemptState;
  request_id: string | null;
  amount_cents: Cents;
}

/** The attempt that went to the bank under this order id. */
export async function attemptOfOrder(db: Queryable, bankOrderId: string): Promise<HintedAttempt | undefined> {
  return db
    .selectFrom('attempts')
    .select(['id', 'account_id', 'method', 'state', 'request_id', 'amount_cents'])
    .where('bank_order_id', '=', bankOrderId)
    .executeTakeFirst();
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
