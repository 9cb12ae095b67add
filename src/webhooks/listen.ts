import type { EventKind } from '../db/tables/webhooks.ts';
import type { Deps } from '../deps.ts';
import { type Clock, isoInstant } from '../kernel/clock.ts';
import { ServiceError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { requireMerchant } from '../merchants/store.ts';
import { signHeaders, signingSecrets } from './signature.ts';
import { eventsAfter, lastSequenceOf } from './store.ts';

const POLL_MS = 1000;
/** Proxies close idle connections: a stream sends a comment after this many waits. */
const HEARTBEAT_WAITS = 15;
/** Events that one stream holds in memory at most. */
const PAGE_MAX = 20;
/** How long a client may take to accept what a stream yields. */
const STALLED_MS = 30_000;
/** Past events that a stream may begin with. */
const REPLAY_MAX = 1000;

/** An event as a delivery would carry it now. */
export interface ListenedEvent {
  sequence: number;
  eventId: Id<'evt'>;
  event: EventKind;
  createdAt: string;
  transactionId: Id<'tx'> | null;
  headers: Record<string, string>;
  /** The exact text; its UTF-8 bytes are signed. */
  body: string;
}

type ListenDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'box'>;

interface ListenOptions {
  merchantId: Id<'mer'>;
  /** The sequence number after which the stream begins. */
  after: number;
  /** Whether the caller is still authorised; called before each read. */
  isAllowed: () => Promise<boolean>;
  /** Aborts when the service stops or the client disconnects. */
  signal: AbortSignal;
}

/**
 * Yields a merchant's events in order as server-sent events, until `signal` aborts or the caller is no longer authorised.
 * A stream makes no deliveries and writes nothing to the database.
 */
export async function* listenToEvents(deps: ListenDeps, options: ListenOptions): AsyncGenerator<string> {
  const { merchantId, isAllowed, signal } = options;
  let { after } = options;
  let waits = 0;
  yield sse('ready', { merchantId, after }, after);
  while (!signal.aborted) {
    if (!(await isAllowed())) {
      yield sse('end', { reason: 'closed' });
      return;
    }
    const events = await nextEvents(deps, merchantId, after);
    for (const event of events) {
      yield sse('webhook', event, event.sequence);
      after = event.sequence;
    }
    if (events.length > 0) continue;
    await pause(deps.clock, signal);
    waits++;
    if (waits % HEARTBEAT_WAITS === 0) yield ': beat\n\n';
  }
  yield sse('end', { reason: 'stopping' });
}

/** Yields what `source` yields, and calls `stalled` when the consumer takes too long for one item. */
export async function* watched<T>(
  clock: Clock,
  source: AsyncIterable<T>,
  stalled: () => void,
): AsyncGenerator<T> {
  for await (const item of source) {
    const cancel = clock.after(STALLED_MS, stalled);
    try {
      yield item;
    } finally {
      cancel();
    }
  }
}

function sse(event: string, data: object, id?: number): string {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return `event: ${event}\n${idLine}data: ${JSON.stringify(data)}\n\n`;
}

/** Waits for POLL_MS, or until the signal aborts. */
async function pause(clock: Clock, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const cancel = clock.after(POLL_MS, () => resolve(null));
  signal.addEventListener('abort', resolve);
  await promise;
  signal.removeEventListener('abort', resolve);
  cancel();
}

/** Returns the next events, signed now by the rules of a delivery. */
async function nextEvents(
  { db, clock, ids, box }: ListenDeps,
  merchantId: Id<'mer'>,
  after: number,
): Promise<ListenedEvent[]> {
  const rows = await eventsAfter(db.read, merchantId, after, PAGE_MAX);
  if (rows.length === 0) return [];
  const now = clock.now();
  const secrets = signingSecrets(box, merchantId, await requireMerchant(db.read, merchantId), now);
  return rows.map(({ id, kind, body, ...row }) => {
    // Has the form of a delivery id and shows that no delivery has it.
    const deliveryId: Id<'dlv'> = `dlv_listen_${ids('dlv').slice('dlv_'.length)}`;
    return {
      sequence: Number(row.sequence),
      eventId: id,
      event: kind,
      createdAt: isoInstant(row.created_at),
      transactionId: row.transaction_id,
      headers: signHeaders({ body, kind, eventId: id, deliveryId, now, secrets }),
      body,
    };
  });
}

/**
 * Returns the sequence number after which a stream begins, by default that of the last event. `lastEventId` wins over `replay`.
 * Throws INVALID_FIELDS with the member at fault.
 */
export async function listenAfter(
  { db }: Pick<Deps, 'db'>,
  merchantId: Id<'mer'>,
  { lastEventId, replay }: { lastEventId: string | undefined; replay: string | undefined },
): Promise<number> {
  const last = await lastSequenceOf(db.read, merchantId);
  if (lastEventId !== undefined) {
    if (!/^\d{1,15}$/.test(lastEventId)) throw invalid('Last-Event-ID', 'is the number of an event');
    // A database restored from a backup may have fewer events.
    return Math.min(Number(lastEventId), last);
  }
  if (replay === undefined) return last;
  const count = /^\d{1,4}$/.test(replay) ? Number(replay) : 0;
  if (count < 1 || count > REPLAY_MAX) throw invalid('replay', `is a whole number from 1 to ${REPLAY_MAX}`);
  return Math.max(0, last - count);
}

function invalid(field: string, what: string): ServiceError {
  return new ServiceError('INVALID_FIELDS', `${field} ${what}.`, { fields: [field] });
}
