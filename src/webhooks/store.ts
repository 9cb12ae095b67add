import type { Insertable, Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Queryable, Tx } from '../db/database.ts';
import { ofMerchant } from '../db/of-merchant.ts';
import { columnsOf, prepared } from '../db/prepared.ts';
import type { DeliveryTable, EventTable } from '../db/tables/webhooks.ts';
import type { Id } from '../kernel/ids.ts';

/** The values of the column `blocked`: whether a due delivery may be claimed, and from which queue. */
export const BLOCKED = { ready: 0, behindEarlier: 1, recoveryReady: 2, recoveryBehindEarlier: 3 } as const;

// Literals instead of parameters: SQLite uses a partial index only when the statement's text implies its condition.
export const DUE = sql.lit('due' as const);
// A literal: for a limit that is a parameter, PostgreSQL plans to return a tenth of the rows.
export const ONE = sql.lit(1);

/**
 * Inserts an event. Its position is above that of every committed event without a sequence number, which preserves causal order.
 */
export const insertEvent = prepared((db, event: Omit<Insertable<EventTable>, 'sequence' | 'position'>) =>
  db.insertInto('events').values((eb) => ({
    ...columnsOf(event, ['id', 'merchant_id', 'transaction_id', 'kind', 'body', 'created_at']),
    position: eb.fn.coalesce(
      eb
        .selectFrom('events as waiting')
        .select((inner) => inner('waiting.position', '+', 1).as('next'))
        .where('waiting.sequence', 'is', null)
        .where('waiting.position', '>=', 0)
        .orderBy('waiting.position', 'desc')
        .limit(ONE),
      sql.lit(1),
    ),
  })),
);

const DELIVERY_COLUMNS = [
  'id',
  'event_id',
  'merchant_id',
  'transaction_id',
  'kind',
  'lane_position',
  'blocked',
  'created_at',
] as const;

/** Inserts a delivery that is due at once, unless it is blocked behind an earlier event of its transaction. */
export const insertDelivery = prepared(
  (db, delivery: Pick<Selectable<DeliveryTable>, (typeof DELIVERY_COLUMNS)[number]>) =>
    db.insertInto('deliveries').values({
      ...columnsOf(delivery, DELIVERY_COLUMNS),
      state: DUE,
      attempts_count: sql.lit(0),
      next_attempt_at: delivery.created_at,
    }),
);

interface OrderedDelivery {
  merchantId: Id<'mer'>;
  transactionId: Id<'tx'>;
  transactionSequence: number;
}

/** A delivery of an earlier event of the transaction that has not ended, if there is one. */
export const earlierDue = prepared(
  (db, { merchantId, transactionId, transactionSequence }: OrderedDelivery) =>
    db
      .selectFrom('deliveries')
      .select('id')
      .where('state', '=', DUE)
      .where('transaction_id', '=', transactionId)
      .where('merchant_id', '=', merchantId)
      .where('lane_position', '<', transactionSequence)
      .where('blocked', '<', 2)
      .limit(ONE),
);

export async function findDelivery(db: Queryable, id: Id<'dlv'>) {
  return await db
    .selectFrom('deliveries')
    .select(['event_id', 'merchant_id', 'transaction_id', 'kind'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Returns a transaction's few events, oldest first. */
export async function eventsOfTransaction(db: Queryable, transactionId: Id<'tx'>) {
  return await db
    .selectFrom('events')
    .select(['id', 'kind', 'created_at', 'sequence'])
    .where('transaction_id', '=', transactionId)
    .orderBy('id')
    .execute();
}

/** The newest deliveries that are shown; resends are unlimited. */
const DELIVERIES_SHOWN_MAX = 200;

/** Returns a transaction's newest 200 deliveries, oldest first. */
export async function deliveriesOfTransaction(db: Queryable, transactionId: Id<'tx'>) {
  const rows = await db
    .selectFrom('deliveries')
    .select(['id', 'event_id', 'kind', 'state', 'recovery_id'])
    .where('transaction_id', '=', transactionId)
    .orderBy('id', 'desc')
    .limit(DELIVERIES_SHOWN_MAX)
    .execute();
  return rows.reverse();
}

/** Returns the attempts of these deliveries by delivery, in order, without the endpoint's responses. */
export async function attemptsOfDeliveries(db: Queryable, deliveries: readonly { id: Id<'dlv'> }[]) {
  if (deliveries.length === 0) return new Map<Id<'dlv'>, never>();
  const ids = deliveries.map(({ id }) => id);
  const rows = await db
    .selectFrom('delivery_attempts')
    .select(['delivery_id', 'number', 'started_at', 'duration_ms', 'status', 'error'])
    .where('delivery_id', 'in', ids)
    .orderBy('delivery_id')
    .orderBy('number')
    .execute();
  return Map.groupBy(rows, (attempt) => attempt.delivery_id);
}

/** Returns a merchant's events with a sequence number above `after`, in order. */
export async function eventsAfter(db: Queryable, merchantId: Id<'mer'>, after: number, limit: number) {
  return await db
    .selectFrom('events')
    .select(['sequence', 'id', 'kind', 'created_at', 'transaction_id', 'body'])
    .where('merchant_id', '=', merchantId)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute();
}

/** Returns the last sequence number of a merchant; 0 without events. */
export async function lastSequenceOf(db: Queryable, merchantId: Id<'mer'>): Promise<number> {
  const row = await db
    .selectFrom('event_counters')
    .select('last_sequence')
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  return row?.last_sequence ?? 0;
}

/**
 * Returns the newest deliveries of all merchants, newest first, with their events and newest attempts. Shows only the host of the
 * current webhook URL, whose path may contain a secret.
 */
export async function recentDeliveries(db: Queryable, limit: number) {
  const rows = await db
    .selectFrom('deliveries as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .innerJoin('merchants as m', 'm.id', 'd.merchant_id')
    .leftJoin('delivery_attempts as a', (join) =>
      join.onRef('a.delivery_id', '=', 'd.id').onRef('a.number', '=', 'd.attempts_count'),
    )
    .select(['d.id as deliveryId', 'd.event_id as eventId', 'd.kind as event', 'm.name as shop', 'd.state'])
    .select(['d.created_at as createdAt', 'e.body', 'd.attempts_count as attempts', 'a.status'])
    .select(['a.duration_ms as durationMs', 'a.error', 'm.webhook_url'])
    .orderBy('d.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ webhook_url, ...row }) => ({
    ...row,
    host: webhook_url === null ? null : new URL(webhook_url).host,
  }));
}

/** Erases the endpoint's responses to a transaction's deliveries. Resolves to whether a delivery is still due. */
export async function eraseResponses(
  tx: Tx,
  transaction: { id: Id<'tx'>; merchant_id: Id<'mer'> },
): Promise<boolean> {
  await tx
    .updateTable('delivery_attempts')
    .set({ response: null })
    .where('delivery_id', 'in', (eb) =>
      eb
        .selectFrom('deliveries')
        .select('deliveries.id')
        .where('deliveries.transaction_id', '=', transaction.id)
        .where(ofMerchant(tx, transaction.merchant_id, 'deliveries.merchant_id')),
    )
    .where('response', 'is not', null)
    .execute();
  const due = await tx
    .selectFrom('deliveries')
    .select('id')
    .where('transaction_id', '=', transaction.id)
    .where(ofMerchant(tx, transaction.merchant_id))
    .where('state', '=', DUE)
    .limit(1)
    .executeTakeFirst();
  return due !== undefined;
}
