import type { Insertable } from 'kysely';
import { sql } from 'kysely';
import type { Queryable, Tx } from '../db/database.ts';
import { columnsOf, prepared } from '../db/prepared.ts';
import type { EventKind, EventTable } from '../db/tables/webhooks.ts';
import type { Id } from '../kernel/ids.ts';

/** The values of the column `blocked`: whether a due delivery may be claimed, and from which queue. */
export const BLOCKED = { ready: 0, behindEarlier: 1, recoveryReady: 2, recoveryBehindEarlier: 3 } as const;

// Literals instead of parameters: SQLite uses a partial index only when the statement's text implies its condition.
const DUE = sql.lit('due' as const);
// SQLite prepares a statement again whenever a parameter is bound to its limit.
const ONE = sql.lit(1);

/**
 * Inserts an event. Its position is above that of every committed event without a sequence number, which preserves causal order.
 */
export async function insertEvent(tx: Tx, event: GivenEvent): Promise<void> {
  await addEvent(tx, event);
}

type GivenEvent = Omit<Insertable<EventTable>, 'sequence' | 'position'>;

const addEvent = prepared((db, event: GivenEvent) =>
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

/** A delivery that is due at once, unless it is blocked behind an earlier event of its transaction. */
export interface NewDelivery {
  id: Id<'dlv'>;
  eventId: Id<'evt'>;
  merchantId: Id<'mer'>;
  transactionId: Id<'tx'> | null;
  kind: EventKind;
  transactionSequence: number | null;
  blocked: typeof BLOCKED.ready | typeof BLOCKED.behindEarlier;
  now: number;
}

/** Inserts a delivery. */
export async function insertDelivery(tx: Tx, delivery: NewDelivery): Promise<void> {
  await addDelivery(tx, delivery);
}

const addDelivery = prepared((db, delivery: NewDelivery) =>
  db.insertInto('deliveries').values({
    id: delivery.id,
    event_id: delivery.eventId,
    merchant_id: delivery.merchantId,
    transaction_id: delivery.transactionId,
    kind: delivery.kind,
    state: DUE,
    lane_position: delivery.transactionSequence,
    blocked: delivery.blocked,
    attempts_count: sql.lit(0),
    next_attempt_at: delivery.now,
    claim_token: null,
    claimed_until: null,
    created_at: delivery.now,
    finished_at: null,
  }),
);

/** Whether an earlier event of the transaction is still being delivered. */
export async function hasEarlierDue(db: Queryable, place: DeliveryPlace): Promise<boolean> {
  return (await earlierDue(db, place)).length > 0;
}

interface DeliveryPlace {
  merchantId: Id<'mer'>;
  transactionId: Id<'tx'>;
  position: number;
}

const earlierDue = prepared((db, { merchantId, transactionId, position }: DeliveryPlace) =>
  db
    .selectFrom('deliveries')
    .select('id')
    .where('state', '=', DUE)
    .where('transaction_id', '=', transactionId)
    .where('merchant_id', '=', merchantId)
    .where('lane_position', '<', position)
    .where('blocked', '<', 2)
    .limit(ONE),
);

/** Returns the merchant's webhook URL; undefined when the merchant does not exist. */
export async function findWebhookUrl(
  db: Queryable,
  merchantId: Id<'mer'>,
): Promise<{ webhook_url: string | null } | undefined> {
  return await db
    .selectFrom('merchants')
    .select('webhook_url')
    .where('id', '=', merchantId)
    .executeTakeFirst();
}

/** Returns one delivery; undefined when it does not exist. */
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

/** Returns a transaction's deliveries, newest first. */
export async function deliveriesOfTransaction(db: Queryable, transactionId: Id<'tx'>, limit: number) {
  return await db
    .selectFrom('deliveries')
    .select(['id', 'event_id', 'kind', 'state', 'attempts_count', 'recovery_id'])
    .where('transaction_id', '=', transactionId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Returns the attempts of these deliveries in order. */
export async function attemptsOfDeliveries(db: Queryable, deliveryIds: readonly Id<'dlv'>[]) {
  return await db
    .selectFrom('delivery_attempts')
    .select(['delivery_id', 'number', 'started_at', 'duration_ms', 'status', 'error'])
    .where('delivery_id', 'in', deliveryIds)
    .orderBy('delivery_id')
    .orderBy('number')
    .execute();
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

/** Returns the newest deliveries of all merchants, with their events and newest attempts. */
export async function newestDeliveries(db: Queryable, limit: number) {
  return await db
    .selectFrom('deliveries as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .innerJoin('merchants as m', 'm.id', 'd.merchant_id')
    .leftJoin('delivery_attempts as a', (join) =>
      join.onRef('a.delivery_id', '=', 'd.id').onRef('a.number', '=', 'd.attempts_count'),
    )
    .select(['d.id', 'd.event_id', 'd.kind', 'd.state', 'd.created_at', 'd.attempts_count'])
    .select(['e.body', 'm.name', 'm.webhook_url', 'a.status', 'a.duration_ms', 'a.error'])
    .orderBy('d.id', 'desc')
    .limit(limit)
    .execute();
}
