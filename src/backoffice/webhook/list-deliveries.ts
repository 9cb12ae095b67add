import type { DeliveryState, EventKind } from '../../db/tables/tables.ts';
import type { Deps } from '../../deps.ts';
import { type Id, idFloor } from '../../kernel/ids.ts';
import { type DeliveryLine, deliveryLine } from './delivery-view.ts';
import { deliveryFurtherBack, deliveryLog, eventNumbers, lastAttempts } from './store.ts';

/** Rows that one page looks through at most for those that fit. */
const LOOKED_THROUGH_MAX = 5000;

export interface DeliveryQuery {
  state?: DeliveryState | undefined;
  kind?: EventKind | undefined;
  /** UTC milliseconds, itself included. */
  from?: number | undefined;
  /** UTC milliseconds, itself left out. */
  until?: number | undefined;
  limit: number;
  /** Where the page before ended. */
  cursor?: string | undefined;
}

/**
 * A page of the merchant's deliveries, newest first. What has no index of its own is looked for among a bounded number of
 * rows: such a page may be short, or empty, and still lead on. `searchedTo` is then the moment down to which it looked.
 */
export async function listDeliveries(
  { db }: Pick<Deps, 'db'>,
  merchantId: Id<'mer'>,
  query: DeliveryQuery,
): Promise<{ rows: DeliveryLine[]; nextCursor: string | null; searchedTo: number | null }> {
  const { state, kind, limit } = query;
  const before = lower(
    query.cursor as Id<'dlv'> | undefined,
    query.until === undefined ? undefined : idFloor('dlv', query.until),
  );
  const from = query.from === undefined ? undefined : idFloor('dlv', query.from);
  const floor = isIndexed(query)
    ? undefined
    : await deliveryFurtherBack(db.read, merchantId, before, LOOKED_THROUGH_MAX);
  // Below the bound the wanted range is over anyway: then it is no bound.
  const bound = floor !== undefined && (from === undefined || floor.id > from) ? floor : null;
  const found = await deliveryLog(
    db.read,
    merchantId,
    { state, kind, before, from: bound?.id ?? from },
    limit + 1,
  );
  const page = found.slice(0, limit);
  const more = found.length > limit;
  const [numbers, attempts] = await Promise.all([
    eventNumbers(db.read, [...new Set(page.map((row) => row.event_id))]),
    lastAttempts(
      db.read,
      page.map((row) => row.id),
    ),
  ]);
  const last = new Map(attempts.map((attempt) => [attempt.delivery_id, attempt]));
  return {
    rows: page.map((row) => deliveryLine(row, numbers.get(row.event_id) ?? null, last.get(row.id))),
    nextCursor: (more ? page.at(-1)?.id : bound?.id) ?? null,
    searchedTo: more || bound === null ? null : Number(bound.created_at),
  };
}

/** Whether an index holds just what is asked for, so that a page costs no more than its rows. */
function isIndexed({ state, kind }: DeliveryQuery): boolean {
  if (state === undefined) return kind === undefined || kind === 'webhook.test';
  return kind === undefined && (state === 'undelivered' || state === 'skipped');
}

function lower<T extends string>(a: T | undefined, b: T | undefined): T | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a < b ? a : b;
}
