import { type Insertable, type Selectable, sql } from 'kysely';
import type { Queryable, Tx } from '../../db/database.ts';
import { queryByIds } from '../../db/list-queries.ts';
import type { AutoRecoveryTable } from '../../db/tables/webhooks.ts';
import { type Id, idFloor } from '../../kernel/ids.ts';
import { MISSED } from './store.ts';

export type AutoRecoveryRow = Selectable<AutoRecoveryTable>;
/** The instants of a state and the step of its wait; null without a state. */
export type AutoRecoveryTimes = Omit<Awaited<ReturnType<typeof autoRecovering>>[number], 'id'>;

/** How long before its instant `deliveredAfter` starts to read, by creation time. */
const DELIVERY_MS_MAX = 600_000;
/** A complete search also reads this many older deliveries, which may have been due while the service was down. */
const OLDER_MAX = 1000;

/** Merchants with automatic recovery after `after` that have no state yet, a recovery under way or a new missed delivery. */
export async function autoRecovering(db: Queryable, after: string, limit: number) {
  return await db
    .selectFrom('merchants')
    .leftJoin('auto_recoveries as auto', 'auto.merchant_id', 'merchants.id')
    .select(['merchants.id', 'auto.since_at', 'auto.missed_at', 'auto.due_at', 'auto.step'])
    .where('merchants.auto_recover', '=', sql.lit<1>(1))
    .where('merchants.id', '>', after as Id<'mer'>)
    .where((eb) =>
      eb.or([
        eb('auto.merchant_id', 'is', null),
        eb('auto.phase', '<>', 'idle'),
        eb.exists(
          eb
            .selectFrom('deliveries')
            .select('deliveries.id')
            .whereRef('deliveries.merchant_id', '=', 'merchants.id')
            .where(MISSED)
            .where(sql<boolean>`(deliveries.finished_at, deliveries.id) > (auto.after_at, auto.after_id)`),
        ),
      ]),
    )
    .orderBy('merchants.id')
    .limit(limit)
    .execute();
}

/** Merchants whose automatic recovery was switched off and still has a state row. */
export async function switchedOff(db: Queryable, limit: number): Promise<Id<'mer'>[]> {
  const rows = await db
    .selectFrom('auto_recoveries')
    .select('merchant_id')
    .where('merchant_id', '>', '' as Id<'mer'>)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('merchants')
            .select('id')
            .whereRef('id', '=', 'auto_recoveries.merchant_id')
            .where('auto_recover', '=', sql.lit<1>(1)),
        ),
      ),
    )
    .limit(limit)
    .execute();
  return rows.map(({ merchant_id }) => merchant_id);
}

/** Inserts the state of a merchant unless there is one. */
export async function insertState(tx: Tx, row: Insertable<AutoRecoveryTable>): Promise<void> {
  await tx
    .insertInto('auto_recoveries')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Loads and locks the state of a merchant; undefined without one or while another process works on it. */
export async function lockState(tx: Tx, merchantId: Id<'mer'>): Promise<AutoRecoveryRow | undefined> {
  return await tx
    .selectFrom('auto_recoveries')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

export async function changeState(
  tx: Tx,
  { merchant_id }: Pick<AutoRecoveryRow, 'merchant_id'>,
  changes: Partial<Omit<AutoRecoveryRow, 'merchant_id'>>,
): Promise<void> {
  await tx.updateTable('auto_recoveries').set(changes).where('merchant_id', '=', merchant_id).execute();
}

export async function deleteState(tx: Tx, merchantId: Id<'mer'>): Promise<void> {
  await tx.deleteFrom('auto_recoveries').where('merchant_id', '=', merchantId).execute();
}

/** Whether a delivery to the merchant's endpoint succeeded after `at`. Ends after `now` date from before the clock was set back. */
export async function deliveredAfter(
  db: Queryable,
  merchantId: Id<'mer'>,
  span: { at: number; now: number; complete: boolean },
): Promise<boolean> {
  const floor = idFloor('dlv', span.at - DELIVERY_MS_MAX);
  const older = span.complete ? await olderDelivery(db, merchantId, floor) : null;
  const row = await db
    .selectFrom('deliveries')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('id', '>=', older ?? floor)
    .where('state', '=', 'delivered')
    .where('finished_at', '>', span.at)
    .where('finished_at', '<=', span.now)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The oldest of the newest deliveries below an id; null when there is none. */
async function olderDelivery(db: Queryable, merchantId: Id<'mer'>, floor: Id<'dlv'>) {
  const newest = db
    .selectFrom('deliveries')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('id', '<', floor)
    .orderBy('id', 'desc')
    .limit(OLDER_MAX);
  const row = await db
    .selectFrom(newest.as('newest'))
    .select(({ fn }) => fn.min('id').as('id'))
    .executeTakeFirst();
  return row?.id ?? null;
}

/** The state and end of a delivery; undefined when it does not exist. */
export async function deliveryEnd(db: Queryable, id: Id<'dlv'>) {
  return await db
    .selectFrom('deliveries')
    .select(['state', 'finished_at'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Deliveries of a merchant's automatic recoveries that have not begun, with their transactions. */
export async function queuedOf(db: Queryable, { merchant_id, run_id }: AutoRecoveryRow, limit: number) {
  return await db
    .selectFrom('deliveries')
    .select(['id', 'merchant_id', 'transaction_id'])
    .where('recovery_id', 'in', (eb) =>
      eb
        .selectFrom('recoveries')
        .select('recoveries.id')
        .where('recoveries.merchant_id', '=', merchant_id)
        // Versions before migration 0041 insert recoveries without this column; `run_id` is the latest of them.
        .where(({ or, eb: of }) => or([of('automatic', '=', 1), of('recoveries.id', '=', run_id)])),
    )
    .where('state', '=', 'due')
    .where('attempts_count', '=', 0)
    .limit(limit)
    .execute();
}

/**
 * Returns and locks those of these deliveries that still have not begun. It skips those that another process is claiming: waiting
 * for a claim that ends one of them could deadlock.
 */
export const lockQueued = queryByIds((db, isListed) =>
  db
    .selectFrom('deliveries')
    .select(['id', 'merchant_id', 'transaction_id'])
    .where(isListed('id', 'merchant_id'))
    .where('state', '=', 'due')
    .where('attempts_count', '=', 0)
    .forUpdate()
    .skipLocked(),
);
