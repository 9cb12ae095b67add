import { type Selectable, sql } from 'kysely';
import type { Queryable, Tx } from '../../db/database.ts';
import { preparedForIds, preparedForRows } from '../../db/prepared-lists.ts';
import { hasRowLocks } from '../../db/row-locks.ts';
import type { DeliveryAttemptTable, EventKind } from '../../db/tables/tables.ts';
import type { Id } from '../../kernel/ids.ts';

// Literals, not parameters: a partial index is only chosen when the statement's text proves its condition.
const DUE = sql.lit('due' as const);
/** What `blocked` says of a delivery that may be sent: of a fresh event, of a recovery. */
const OPEN = [sql.lit(0 as const), sql.lit(2 as const)] as const;
/** The same of one behind an earlier delivery of its lane. */
const BEHIND = [1, 3] as const;

/** A delivery with what an attempt needs, as it stands before the claim. */
export interface Sendable {
  id: Id<'dlv'>;
  event_id: Id<'evt'>;
  merchant_id: Id<'mer'>;
  transaction_id: Id<'tx'> | null;
  kind: EventKind;
  attempts_count: number;
  claim_token: string | null;
  body: string;
  webhook_url: string | null;
  webhook_enabled: 0 | 1;
  webhook_secret: string;
  previous_webhook_secret: string | null;
  previous_secret_until: number | null;
  recovery_id: Id<'rcv'> | null;
}

/**
 * Those of `ids` that are still due at `now` and whose event has its number, with what an attempt needs. Locked where the
 * engine has row locks; what a neighbour has locked is the neighbour's, and passed over.
 */
export async function readSendable(tx: Tx, ids: readonly Id<'dlv'>[], now: number): Promise<Sendable[]> {
  return await sendable(tx, ids, { now });
}

const sendable = preparedForIds((db, ids: Id<'dlv'>[], { now }: { now: number }) =>
  db
    .selectFrom('deliveries as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .innerJoin('merchants as m', 'm.id', 'd.merchant_id')
    .select(['d.id', 'd.event_id', 'd.merchant_id', 'd.transaction_id', 'd.kind', 'd.attempts_count'])
    .select(['d.claim_token', 'd.recovery_id', 'e.body', 'm.webhook_url', 'm.webhook_enabled'])
    .select(['m.webhook_secret', 'm.previous_webhook_secret', 'm.previous_secret_until'])
    .where('d.id', 'in', ids)
    .where('d.state', '=', 'due')
    .where('d.blocked', 'in', OPEN)
    .where('e.sequence', 'is not', null)
    .where('d.next_attempt_at', '<=', now)
    .$if(hasRowLocks(db), (query) => query.forUpdate('d').skipLocked()),
);

/**
 * Whoever ends deliveries of these transactions' lanes, or adds to a lane, holds this lock: else an event that is
 * written while the one before it ends would be found by neither, and wait for ever.
 */
export async function lockLanes(tx: Tx, transactionIds: readonly Id<'tx'>[]): Promise<void> {
  if (hasRowLocks(tx)) await lockedTransactions(tx, transactionIds, {});
}

const lockedTransactions = preparedForIds((db, ids: Id<'tx'>[]) =>
  db
    .selectFrom('transactions')
    .select('id')
    .where('id', 'in', ids)
    // In one order for all, so that two who want several cannot wait for each other crosswise.
    .orderBy('id')
    .forNoKeyUpdate(),
);

export interface Claim {
  token: string;
  now: number;
  /** Until when nobody else sends it; the delivery falls due again then, should this process die. */
  until: number;
}

/** Claims those of `ids` that are still due and counts the attempt, which is then still to be sent. Returns the claimed. */
export async function claimDeliveries(
  tx: Tx,
  ids: readonly Id<'dlv'>[],
  claim: Claim,
): Promise<ReadonlySet<Id<'dlv'>>> {
  const rows = await claimed(tx, ids, claim);
  return new Set(rows.map((row) => row.id));
}

const claimed = preparedForIds((db, ids: Id<'dlv'>[], claim: Claim) =>
  db
    .updateTable('deliveries')
    .set((eb) => ({
      claim_token: claim.token,
      claimed_until: claim.until,
      next_attempt_at: claim.until,
      attempts_count: eb('attempts_count', '+', 1),
    }))
    .where('id', 'in', ids)
    .where('state', '=', 'due')
    .where('next_attempt_at', '<=', claim.now)
    .returning('id'),
);

/** Moves the end of claims that `token` still holds to `until`; what has ended or passed to another stays as it is. */
export async function extendClaims(
  tx: Tx,
  ids: readonly Id<'dlv'>[],
  token: string,
  until: number,
): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ claimed_until: until, next_attempt_at: until })
    .where('id', 'in', ids)
    .where('state', '=', 'due')
    .where('claim_token', '=', token)
    .execute();
}

/** An attempt that has no outcome yet. */
type AttemptBegun = Pick<Selectable<DeliveryAttemptTable>, 'delivery_id' | 'number' | 'started_at'>;

/** Writes attempts: new ones, and the outcomes of those that ended. */
export async function putAttempts(
  tx: Tx,
  attempts: readonly (AttemptBegun | Selectable<DeliveryAttemptTable>)[],
): Promise<void> {
  await put(
    tx,
    attempts.map((attempt) => ({ ...NOT_ENDED, ...attempt })),
  );
}

const ATTEMPT_COLUMNS = [
  'delivery_id',
  'number',
  'started_at',
  'duration_ms',
  'status',
  'error',
  'error_detail',
  'response',
] as const;
const NOT_ENDED = { duration_ms: null, status: null, error: null, error_detail: null, response: null };

const put = preparedForRows(ATTEMPT_COLUMNS, (db, rows: Selectable<DeliveryAttemptTable>[]) =>
  db
    .insertInto('delivery_attempts')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['delivery_id', 'number']).doUpdateSet((eb) => ({
        duration_ms: eb.ref('excluded.duration_ms'),
        status: eb.ref('excluded.status'),
        error: eb.ref('excluded.error'),
        error_detail: eb.ref('excluded.error_detail'),
        response: eb.ref('excluded.response'),
      })),
    ),
);

/** Notes on an attempt without outcome what became of it. */
export async function markCut(tx: Tx, deliveryId: Id<'dlv'>, number: number, error: string): Promise<void> {
  await tx
    .updateTable('delivery_attempts')
    .set({ error })
    .where('delivery_id', '=', deliveryId)
    .where('number', '=', number)
    .where('duration_ms', 'is', null)
    .execute();
}

/** How many attempts of each of these deliveries have no outcome: a crash cut them. None is 0, and left out. */
export async function countCut(
  db: Queryable,
  deliveryIds: readonly Id<'dlv'>[],
): Promise<ReadonlyMap<Id<'dlv'>, number>> {
  const rows = await db
    .selectFrom('delivery_attempts')
    .select((eb) => ['delivery_id', eb.fn.countAll<number>().as('n')])
    .where('delivery_id', 'in', deliveryIds)
    .where('duration_ms', 'is', null)
    .groupBy('delivery_id')
    .execute();
  return new Map(rows.map((row) => [row.delivery_id, Number(row.n)]));
}

/**
 * Ends deliveries, provided that they are due and, when `token` is given, claimed by it. Returns those that ended.
 */
export async function finishDeliveries(
  tx: Tx,
  ids: readonly Id<'dlv'>[],
  end: { state: 'delivered' | 'undelivered' | 'skipped'; now: number; token?: string },
): Promise<Id<'dlv'>[]> {
  const rows = await (end.token === undefined ? finished : finishedOfToken)(tx, ids, {
    token: '',
    ...end,
  });
  return rows.map((row) => row.id);
}

interface End {
  state: 'delivered' | 'undelivered' | 'skipped';
  now: number;
  token: string;
}

const finished = preparedForIds(finish);
const finishedOfToken = preparedForIds((db, ids: Id<'dlv'>[], end: End) =>
  finish(db, ids, end).where('claim_token', '=', end.token),
);

function finish(db: Queryable, ids: Id<'dlv'>[], end: End) {
  return db
    .updateTable('deliveries')
    .set({
      state: end.state,
      finished_at: end.now,
      next_attempt_at: null,
      claim_token: null,
      claimed_until: null,
    })
    .where('id', 'in', ids)
    .where('state', '=', DUE)
    .returning('id');
}

/** Plans the next attempt of those deliveries that `token` still claims. Returns them. */
export async function planRetries(
  tx: Tx,
  ids: readonly Id<'dlv'>[],
  token: string,
  at: number,
): Promise<Id<'dlv'>[]> {
  const rows = await planned(tx, ids, { token, at });
  return rows.map((row) => row.id);
}

const planned = preparedForIds((db, ids: Id<'dlv'>[], { token, at }: { token: string; at: number }) =>
  db
    .updateTable('deliveries')
    .set({ next_attempt_at: at, claim_token: null, claimed_until: null })
    .where('id', 'in', ids)
    .where('state', '=', DUE)
    .where('claim_token', '=', token)
    .returning('id'),
);

/**
 * Frees the first unfinished delivery of each of these transactions' lanes, that of fresh events and that of recoveries,
 * neither of which waits for the other. Returns how many became free.
 */
export async function unblockLanes(tx: Tx, transactionIds: readonly Id<'tx'>[]): Promise<number> {
  return (await unblocked(tx, transactionIds, {})).length;
}

const unblocked = preparedForIds((db, transactionIds: Id<'tx'>[], _none: object) =>
  db
    .updateTable('deliveries')
    // From 1 to 0, or from 3 to 2.
    .set({ blocked: sql<0 | 2>`blocked - 1` })
    .where('state', '=', DUE)
    .where('blocked', 'in', BEHIND)
    .where('transaction_id', 'in', transactionIds)
    .where('lane_position', '=', (eb) =>
      eb
        .selectFrom('deliveries as earliest')
        .select((inner) => inner.fn.min('earliest.lane_position').as('position'))
        .where('earliest.state', '=', DUE)
        .whereRef('earliest.transaction_id', '=', 'deliveries.transaction_id')
        .where(sql<boolean>`(earliest.blocked < 2) = (deliveries.blocked < 2)`),
    )
    .returning('id'),
);
