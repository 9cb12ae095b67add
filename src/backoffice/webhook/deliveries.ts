import type { Queryable } from '../../db/database.ts';
import type { EventKind } from '../../db/tables/webhooks.ts';
import type { Deps } from '../../deps.ts';
import { type Id, idFloor } from '../../kernel/ids.ts';
import type { RecoveryView } from '../../webhooks/recovery/list.ts';
import { type RecoveryRequest, recoverEvents } from '../../webhooks/recovery/recover-events.ts';
import { resendDelivery } from '../../webhooks/resend.ts';
import { notFound } from '../errors.ts';
import { pageOf } from '../rpc.ts';
import {
  attemptsWithAnswers,
  countDeliveryLog,
  type DeliveryRow,
  deliveryBack,
  deliveryDetails,
  deliveryLog,
  findOwnDelivery,
  type LogState,
} from './store.ts';

/** A page examines at most this many rows for those that match. */
const EXAMINED_MAX = 5000;

interface DeliverySearch {
  state?: LogState | undefined;
  kind?: EventKind | undefined;
  /** UTC milliseconds, inclusive. */
  from?: number | undefined;
  /** UTC milliseconds, exclusive. */
  until?: number | undefined;
  cursor?: string | null | undefined;
}

/**
 * A page of the merchant's deliveries, newest first. A filter without an index examines a bounded number of rows, so its
 * page can be short and still have a next one; `searchedTo` is then the time back to which it searched.
 */
export async function listDeliveries(
  { db }: Pick<Deps, 'db'>,
  merchantId: Id<'mer'>,
  query: DeliverySearch & { limit: number },
) {
  const { filter, bound } = await boundedFilter(db.read, merchantId, query);
  const found = await deliveryLog(db.read, merchantId, filter, query.limit + 1);
  const { page, nextCursor } = pageOf(found, query.limit, (row) => row.id);
  return {
    rows: await deliveryLines(db.read, page),
    nextCursor: nextCursor ?? bound?.id ?? null,
    searchedTo: nextCursor !== null || bound === null ? null : bound.created_at,
  };
}

export async function deliveryLines(db: Queryable, rows: readonly DeliveryRow[]) {
  const ids = rows.map((row) => row.id);
  const details = new Map((await deliveryDetails(db, ids)).map((each) => [each.deliveryId, each]));
  return rows.map((row) => {
    const { number = null, status = null, durationMs = null, error = null } = details.get(row.id) ?? {};
    return { ...deliveryView(row, number), status, durationMs, error };
  });
}
export type DeliveryLine = Awaited<ReturnType<typeof deliveryLines>>[number];

/** The number of deliveries that match. With `more` there are others, which were not counted. */
export async function countDeliveries(
  { db }: Pick<Deps, 'db'>,
  merchantId: Id<'mer'>,
  query: DeliverySearch,
): Promise<{ count: number; more: boolean }> {
  const { filter, bound } = await boundedFilter(db.read, merchantId, query);
  const { count, more } = await countDeliveryLog(db.read, merchantId, filter);
  return { count, more: more || bound !== null };
}

/** Restricts a filter without an index to a bounded number of rows, down to `bound`. */
async function boundedFilter(db: Queryable, merchantId: Id<'mer'>, query: DeliverySearch) {
  const { state, kind } = query;
  const cursor = query.cursor as Id<'dlv'> | null | undefined;
  const end = query.until === undefined ? undefined : idFloor('dlv', query.until);
  const before = cursor && end ? (cursor < end ? cursor : end) : (cursor ?? end);
  const from = query.from === undefined ? undefined : idFloor('dlv', query.from);
  const place = { before, state };
  const reached = hasIndex(query) ? undefined : await deliveryBack(db, merchantId, place, EXAMINED_MAX);
  const bound = reached !== undefined && (from === undefined || reached.id > from) ? reached : null;
  return { filter: { state, kind, before, from: bound?.id ?? from }, bound };
}

/** Whether an index contains exactly the deliveries that match. */
function hasIndex({ state, kind }: DeliverySearch): boolean {
  if (state === undefined) return kind === undefined || kind === 'webhook.test';
  return kind === undefined && (state === 'undelivered' || state === 'skipped');
}

/** One delivery of the merchant with its attempts; with their connection errors for operators. Throws NOT_FOUND. */
export async function showDelivery(
  { db, settings }: Pick<Deps, 'db' | 'settings'>,
  merchantId: Id<'mer'>,
  deliveryId: Id<'dlv'>,
  isOperator: boolean,
) {
  const row = await findOwnDelivery(db.read, merchantId, deliveryId);
  if (row === undefined) throw notFound();
  const [details] = await deliveryDetails(db.read, [row.id]);
  const attempts = await attemptsWithAnswers(db.read, row.id);
  return {
    ...deliveryView(row, details?.number ?? null),
    attempts: attempts.map(({ errorDetail, ...attempt }) => ({
      ...attempt,
      errorDetail: isOperator ? errorDetail : null,
    })),
    /** Older attempts are deleted and only counted. */
    attemptsKeptDays: settings.deliveryAttemptDays,
  };
}
export type Delivery = Awaited<ReturnType<typeof showDelivery>>;

/** Resends the event of one of the merchant's deliveries. Throws NOT_FOUND. */
export async function resendOwn(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'wakeDispatcher' | 'actor'>,
  merchantId: Id<'mer'>,
  deliveryId: Id<'dlv'>,
): Promise<{ deliveryId: Id<'dlv'> }> {
  const own = await findOwnDelivery(deps.db.read, merchantId, deliveryId);
  if (own === undefined) throw notFound();
  return await resendDelivery(deps, own.id);
}

/** Queues the events that a merchant missed since an instant, one page per transaction. Throws Refusal. */
export async function recoverMissed(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'wakeDispatcher' | 'actor'>,
  order: RecoveryRequest,
): Promise<RecoveryView> {
  const run = recoverEvents(deps, order);
  for (;;) {
    const step = await run.next();
    if (step.done) return step.value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function deliveryView(row: DeliveryRow, number: number | null) {
  const isDue = row.state === 'due' && row.next_attempt_at !== null;
  return {
    deliveryId: row.id,
    eventId: row.event_id,
    /** The event's sequence number; null until it is assigned, shortly after the event. */
    number,
    kind: row.kind,
    state: row.state,
    transactionId: row.transaction_id,
    attemptsCount: row.attempts_count,
    origin: originOf(row),
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    nextAttemptAt: isDue ? Number(row.next_attempt_at) : null,
  };
}

/** `event`: created with the event. `resend`: requested by a person. `recovery`: queued with others. */
function originOf(row: DeliveryRow): 'event' | 'resend' | 'recovery' {
  if (row.recovery_id !== null) return 'recovery';
  // No delivery of a test event has a position, so its resends cannot be told apart.
  return row.lane_position === null && row.kind !== 'webhook.test' ? 'resend' : 'event';
}
