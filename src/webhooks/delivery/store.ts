import { sql } from 'kysely';
import { isPostgres, type Queryable, type Tx } from '../../db/database.ts';
import { type IsListed, type Owned, queryByIds } from '../../db/list-queries.ts';
import { ofMerchant } from '../../db/of-merchant.ts';
import type { Id } from '../../kernel/ids.ts';
import { BLOCKED, DUE } from '../store.ts';
import { OF_ALL_MERCHANTS, READY, SCHEDULED_AT } from './due-store.ts';

/** Null while a delivery is due. With a condition on `state`, PostgreSQL could scan an index of all due deliveries. */
const UNFINISHED = 'finished_at';
/** With the bare column, SQLite would read all deliveries of the claim by their index. */
const CLAIM_TOKEN = sql<string>`coalesce(claim_token, '')`;
const BEHIND_EARLIER = [BLOCKED.behindEarlier, BLOCKED.recoveryBehindEarlier] as const;
/** The claim token of a process on the cluster bus begins with its 7-character instance id and a dot. */
const INSTANCE_ID = sql<string>`substr(claim_token, 1, 7)`;
const HAS_INSTANCE_ID = sql<boolean>`substr(claim_token, 8, 1) = '.'`;

/** A delivery with the data for an attempt, as read before the claim. */
export type Sendable = Awaited<ReturnType<typeof lockSendable>>[number];

/** The key of a delivery. */
export type OwnDelivery = Owned<Id<'dlv'>>;

/** The key of a delivery's transaction, if it has one. */
type OfTransaction = Pick<Sendable, 'transaction_id' | 'merchant_id'>;

/**
 * Returns those of the given deliveries that are still due at `now` and whose event has its sequence number. On PostgreSQL it
 * locks them and skips those that another process has locked.
 */
export const lockSendable = queryByIds((db, isListed, { now }: { now: number }) =>
  db
    .selectFrom('deliveries as d')
    .innerJoin('events as e', (join) =>
      join.onRef('e.id', '=', 'd.event_id').onRef('e.merchant_id', '=', 'd.merchant_id'),
    )
    .innerJoin('merchants as m', 'm.id', 'd.merchant_id')
    .select(['d.id', 'd.event_id', 'd.merchant_id', 'd.transaction_id', 'd.kind', 'd.attempts_count'])
    .select(['d.claim_token', 'd.recovery_id', 'e.body', 'm.webhook_url', 'm.webhook_enabled'])
    .select(['m.webhook_secret', 'm.previous_webhook_secret', 'm.previous_secret_until'])
    .where(isListed('d.id', 'd.merchant_id'))
    .where('d.state', '=', 'due')
    .where('d.blocked', 'in', Object.values(READY))
    .where('e.sequence', 'is not', null)
    .where('d.next_attempt_at', '<=', now)
    .forUpdate('d')
    .skipLocked(),
);

/**
 * Returns those of these deliveries that automatic recovery inserted and that must not be sent: a later event of their transaction
 * was delivered, or automatic recovery was switched off before their first attempt.
 */
export const endedRecoveries = queryByIds((db, isListed) =>
  db
    .selectFrom('deliveries as d')
    .innerJoin('recoveries as r', 'r.id', 'd.recovery_id')
    .innerJoin('merchants as m', 'm.id', 'd.merchant_id')
    .select('d.id')
    .where(isListed('d.id', 'd.merchant_id'))
    .where('r.automatic', '=', 1)
    .where(
      sql<boolean>`(m.auto_recover = 0 and d.attempts_count = 0 or exists (
        select 1 from deliveries later join deliveries sent on sent.event_id = later.event_id
        where later.transaction_id = d.transaction_id and later.lane_position > d.lane_position
          and sent.state = 'delivered'))`,
    ),
);

/** Locks the transactions of deliveries before one finishes, because an event inserted concurrently could stay blocked. */
export async function lockTransactions(tx: Tx, deliveries: readonly OfTransaction[]): Promise<void> {
  if (isPostgres(tx)) await lockedTransactions(tx, transactionsOf(deliveries), {});
}

function transactionsOf(deliveries: readonly OfTransaction[]): Owned<Id<'tx'>>[] {
  return deliveries.flatMap(({ transaction_id: id, merchant_id }) =>
    id === null ? [] : { id, merchant_id },
  );
}

const lockedTransactions = queryByIds((db, isListed) =>
  db
    .selectFrom('transactions')
    .select('id')
    .where(isListed('id', 'merchant_id'))
    // The same order in all processes prevents deadlocks.
    .orderBy('id')
    .forNoKeyUpdate(),
);

/**
 * Stops automatic recovery of these deliveries' merchants until this transaction ends: it must not pass deliveries whose end it
 * cannot see yet. Before `lockTransactions`, as recovery does.
 */
export async function holdRecoveries(tx: Tx, deliveries: readonly OwnDelivery[]): Promise<void> {
  if (!isPostgres(tx) || deliveries.length === 0) return;
  await tx
    .selectFrom('auto_recoveries')
    .select('merchant_id')
    .where('merchant_id', 'in', [...new Set(deliveries.map(({ merchant_id }) => merchant_id))])
    .orderBy('merchant_id')
    .forKeyShare()
    .execute();
}

/** Claims deliveries that `lockSendable` returned, and counts the attempt before it is sent. */
export const claimDeliveries = queryByIds((db, isListed, claim: { token: string; until: number }) =>
  db
    .updateTable('deliveries')
    .set((eb) => ({
      claim_token: claim.token,
      next_attempt_at: claim.until,
      attempts_count: eb('attempts_count', '+', 1),
    }))
    .where(isListed('id', 'merchant_id')),
);

/** Extends claims that `token` still holds. */
export async function extendClaims(
  tx: Tx,
  ids: readonly Id<'dlv'>[],
  token: string,
  until: number,
): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ next_attempt_at: until })
    .where('id', 'in', ids)
    .where('state', '=', 'due')
    .where('claim_token', '=', token)
    .execute();
}

/** Returns the instance ids of the claims that end after `now`. Reads all due deliveries on PostgreSQL. */
export async function claimingInstances(db: Queryable, now: number): Promise<string[]> {
  const instances = new Set<string>();
  for (const ready of Object.values(READY)) {
    const rows = await db
      .selectFrom('deliveries')
      .select(INSTANCE_ID.as('instance'))
      .distinct()
      .where('state', '=', DUE)
      .where('blocked', '=', ready)
      .where(OF_ALL_MERCHANTS)
      .where('next_attempt_at', '>', now)
      .where(HAS_INSTANCE_ID)
      .execute();
    for (const { instance } of rows) instances.add(instance);
  }
  return [...instances];
}

/**
 * Makes claimed deliveries due at `now`, also after the clock was set back: all of them, or those of the given instances. Returns
 * their number. Reads as many rows as `claimingInstances`.
 */
export async function releaseClaims(tx: Tx, now: number, instances?: readonly string[]): Promise<number> {
  let released = 0;
  for (const ready of Object.values(READY)) {
    const claims = tx
      .updateTable('deliveries')
      .set({
        next_attempt_at: now,
        retry_at: sql`case when ${SCHEDULED_AT} > ${now} then ${now} else retry_at end`,
      })
      .where('state', '=', DUE)
      .where('blocked', '=', ready)
      .where('next_attempt_at', '>', now)
      // With "is not null", SQLite would read all due deliveries instead of the index of claims.
      .where('claim_token', '>', '');
    const query = instances ? claims.where(HAS_INSTANCE_ID).where(INSTANCE_ID, 'in', instances) : claims;
    released += Number((await query.executeTakeFirst()).numUpdatedRows);
  }
  return released;
}

export interface Finish {
  state: 'delivered' | 'undelivered' | 'skipped';
  now: number;
  /** The claim that must still hold; left out for deliveries that this database transaction has locked. */
  token?: string;
}

/** Finishes due deliveries. Returns the ids of the finished ones. */
export async function finishDeliveries(
  tx: Tx,
  deliveries: readonly OwnDelivery[],
  finish: Finish,
): Promise<Id<'dlv'>[]> {
  const rows = await (finish.token === undefined ? finished : finishedOfToken)(tx, deliveries, finish);
  if (finish.state !== 'delivered' && rows.length > 0) await rewindRecoveries(tx, deliveries, finish.now);
  return rows.map((row) => row.id);
}

/** Moves the position of automatic recovery back to deliveries that end before it, which happens after the clock was set back. */
async function rewindRecoveries(tx: Tx, deliveries: readonly OwnDelivery[], endedAt: number): Promise<void> {
  await tx
    .updateTable('auto_recoveries')
    .set({ after_at: endedAt, after_id: '' })
    .where('merchant_id', 'in', [...new Set(deliveries.map(({ merchant_id }) => merchant_id))])
    .where('after_at', '>=', endedAt)
    .execute();
}

const finished = queryByIds(finishQuery);
const finishedOfToken = queryByIds((db, isListed, finish: Finish) =>
  finishQuery(db, isListed, finish).where(CLAIM_TOKEN, '=', finish.token ?? ''),
);

function finishQuery(db: Queryable, isListed: IsListed, finish: Finish) {
  return db
    .updateTable('deliveries')
    .set({
      state: finish.state,
      finished_at: finish.now,
      next_attempt_at: null,
      claim_token: null,
    })
    .where(isListed('id', 'merchant_id'))
    .where(UNFINISHED, 'is', null)
    .returning('id');
}

/** Schedules the next attempt of deliveries that `token` still claims, and returns these. */
export const scheduleRetries = queryByIds((db, isListed, { token, at }: { token: string; at: number }) =>
  db
    .updateTable('deliveries')
    .set({ next_attempt_at: at, retry_at: at, claim_token: null })
    .where(isListed('id', 'merchant_id'))
    .where(UNFINISHED, 'is', null)
    .where(CLAIM_TOKEN, '=', token)
    .returning('id'),
);

/** Releases the claim `token` of a delivery, which is due at `now`, and does not count its attempt. Returns whether it was still held. */
export async function releaseClaim(
  tx: Tx,
  { id, merchant_id }: OwnDelivery,
  token: string,
  now: number,
): Promise<boolean> {
  const result = await tx
    .updateTable('deliveries')
    .set((eb) => ({
      claim_token: null,
      next_attempt_at: now,
      retry_at: now,
      attempts_count: eb('attempts_count', '-', 1),
    }))
    .where('id', '=', id)
    .where(ofMerchant(tx, merchant_id))
    .where(UNFINISHED, 'is', null)
    .where(CLAIM_TOKEN, '=', token)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Unblocks the first unfinished delivery of the transaction of each delivery, in either queue. Returns whether there are any. */
export async function unblockNext(tx: Tx, deliveries: readonly OfTransaction[]): Promise<boolean> {
  return (await unblocked(tx, transactionsOf(deliveries), {})).length > 0;
}

const unblocked = queryByIds((db, isListed) =>
  db
    .updateTable('deliveries')
    // From behindEarlier to ready, in either queue.
    .set({ blocked: sql<0 | 2>`blocked - 1` })
    .where('state', '=', DUE)
    .where('blocked', 'in', BEHIND_EARLIER)
    .where(isListed('transaction_id', 'merchant_id'))
    .where('lane_position', '=', (eb) =>
      eb
        .selectFrom('deliveries as earliest')
        .select((inner) => inner.fn.min('earliest.lane_position').as('position'))
        .where('earliest.state', '=', DUE)
        .whereRef('earliest.transaction_id', '=', 'deliveries.transaction_id')
        .whereRef('earliest.merchant_id', '=', 'deliveries.merchant_id')
        .where(sql<boolean>`(earliest.blocked < 2) = (deliveries.blocked < 2)`),
    )
    // A recovered event waits for a later event of its transaction that another recovery is sending.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries as ready')
            .select('ready.id')
            .where('ready.state', '=', DUE)
            .whereRef('ready.transaction_id', '=', 'deliveries.transaction_id')
            .whereRef('ready.merchant_id', '=', 'deliveries.merchant_id')
            .where(sql<boolean>`ready.blocked = deliveries.blocked - 1`)
            // A resend has no sequence and holds up no event.
            .where('ready.lane_position', 'is not', null),
        ),
      ),
    )
    .returning('id'),
);
