import type { EventKind } from '../../db/tables/tables.ts';
import type { Deps } from '../../deps.ts';
import { isoInstant } from '../../kernel/clock.ts';
import { errorText } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { createPeriodicJob } from '../../kernel/periodic.ts';
import { createSecretReader, signHeaders } from '../signature.ts';
import { eventsAfter } from '../store.ts';
import { lastNumbersOf, sealedSecretsOf } from './store.ts';

/** Numbers that another process gave are found within this time, by one query for all streams. */
const POLL_MS = 1000;
/** A stream that has nothing to tell says so, for proxies that cut what is silent. */
const BEAT_MS = 15_000;
/** Events that a stream holds in memory at most. */
const PAGE_MAX = 20;
const STREAMS_MAX = 200;
const STREAMS_PER_MERCHANT_MAX = 4;

/** An event as a delivery of this moment would carry it. */
export interface ListenedEvent {
  sequence: number;
  eventId: Id<'evt'>;
  event: EventKind;
  createdAt: string;
  transactionId: Id<'tx'> | null;
  headers: Record<string, string>;
  /** The exact text; its UTF-8 bytes are what is signed. */
  body: string;
}

/** Why a stream ends: the service stops; its merchant opened too many others; its key or account is closed. */
export type EndReason = 'stopping' | 'replaced' | 'closed';

export type ListenMessage =
  | { kind: 'event'; event: ListenedEvent }
  | { kind: 'beat' }
  | { kind: 'end'; reason: EndReason };

export interface ListenOptions {
  merchantId: Id<'mer'>;
  /** The number after which the stream begins. */
  after: number;
  /** Whether the stream may still be had; asked before each reading. */
  isAllowed: () => Promise<boolean>;
  /** Aborts when nobody listens any more. */
  signal: AbortSignal;
}

/** Streams of events to whoever develops a receiver. They are no deliveries: nothing is written and nothing counted. */
export interface Listening {
  /** Opens a stream; null when the process has as many as it may. The merchant's oldest one gives way to its fifth. */
  open(options: ListenOptions): AsyncGenerator<ListenMessage> | null;
  /** Events of these merchants have got their numbers. Cheap. */
  wake(merchantIds: Iterable<Id<'mer'>>): void;
  /** Ends every stream; those that are opened from now on end at once. */
  close(): void;
}

interface Stream {
  readonly merchantId: Id<'mer'>;
  after: number;
  ended: EndReason | null;
  /** Something may have come since the last reading. */
  woken: boolean;
  wake(): void;
}

type ListenDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'box' | 'log'>;

export function createListening(deps: ListenDeps): Listening {
  const streams = new Set<Stream>();
  const readPage = signedPages(deps);
  let stopped = false;
  let polling = false;

  const end = (stream: Stream, reason: EndReason) => {
    stream.ended = reason;
    streams.delete(stream);
    stream.wake();
  };

  const poll = createPeriodicJob({
    clock: deps.clock,
    async run() {
      await wakeBehind(deps, streams);
      return POLL_MS;
    },
    firstAfterMs: POLL_MS,
  });

  async function* run(stream: Stream, options: ListenOptions): AsyncGenerator<ListenMessage> {
    const onAbort = () => stream.wake();
    options.signal.addEventListener('abort', onAbort, { once: true });
    try {
      while (!options.signal.aborted) {
        stream.woken = false;
        if (stream.ended === null && !(await options.isAllowed())) end(stream, 'closed');
        const page = stream.ended === null ? await readPage(stream.merchantId, stream.after) : [];
        for (const event of page) {
          yield { kind: 'event', event };
          stream.after = event.sequence;
          if (stream.ended !== null) break;
        }
        if (stream.ended !== null) {
          yield { kind: 'end', reason: stream.ended };
          return;
        }
        if (page.length === 0 && !(await wokenWithin(deps, stream, options.signal))) yield { kind: 'beat' };
      }
    } finally {
      options.signal.removeEventListener('abort', onAbort);
      streams.delete(stream);
    }
  }

  return {
    open(options) {
      if (streams.size >= STREAMS_MAX) return null;
      const { merchantId } = options;
      const stream = createStream(merchantId, options.after);
      const own = [...streams].filter((other) => other.merchantId === merchantId);
      if (own[0] && own.length >= STREAMS_PER_MERCHANT_MAX) end(own[0], 'replaced');
      if (stopped) stream.ended = 'stopping';
      else streams.add(stream);
      if (!polling && !stopped) poll.start();
      polling = true;
      return run(stream, options);
    },
    wake(merchantIds) {
      const woken = new Set(merchantIds);
      for (const stream of streams) if (woken.has(stream.merchantId)) stream.wake();
    },
    close() {
      stopped = true;
      void poll.stop();
      for (const stream of streams) end(stream, 'stopping');
    },
  };
}

/** Wakes the streams whose merchant has a number that they have not seen; all of them, when it cannot be known. */
async function wakeBehind({ db, log }: ListenDeps, streams: ReadonlySet<Stream>): Promise<void> {
  const merchantIds = [...new Set([...streams].map(({ merchantId }) => merchantId))];
  if (merchantIds.length === 0) return;
  try {
    const last = await lastNumbersOf(db.read, merchantIds);
    for (const stream of streams) if ((last.get(stream.merchantId) ?? 0) > stream.after) stream.wake();
  } catch (error) {
    log.warn({ detail: errorText(error) }, 'new events could not be looked for; trying again');
  }
}

/** Resolves to whether something may have come; false after a time in which nothing did. */
async function wokenWithin({ clock }: ListenDeps, stream: Stream, signal: AbortSignal): Promise<boolean> {
  if (stream.woken || signal.aborted) return true;
  return await new Promise<boolean>((resolve) => {
    const over = (woken: boolean) => {
      cancel();
      noteWakes(stream);
      resolve(woken);
    };
    const cancel = clock.after(BEAT_MS, () => over(false));
    stream.wake = () => over(true);
  });
}

function createStream(merchantId: Id<'mer'>, after: number): Stream {
  const stream: Stream = { merchantId, after, ended: null, woken: false, wake: () => {} };
  noteWakes(stream);
  return stream;
}

/** Who reads now hears afterwards that something came meanwhile. */
function noteWakes(stream: Stream): void {
  stream.wake = () => {
    stream.woken = true;
  };
}

/** Reads the next events of a merchant and signs them, at this moment, by the rule of deliveries. */
function signedPages(deps: ListenDeps) {
  const readSecret = createSecretReader(deps.box);
  return async (merchantId: Id<'mer'>, after: number): Promise<ListenedEvent[]> => {
    const rows = await eventsAfter(deps.db.read, merchantId, after, PAGE_MAX);
    const sealed = rows.length === 0 ? undefined : await sealedSecretsOf(deps.db.read, merchantId);
    if (sealed === undefined) return [];
    const now = deps.clock.now();
    const secrets = readSecret(merchantId, sealed, now);
    return rows.map(({ id, kind, body, ...row }) => ({
      sequence: Number(row.sequence),
      eventId: id,
      event: kind,
      createdAt: isoInstant(Number(row.created_at)),
      transactionId: row.transaction_id,
      // Of the form of a delivery's id, and marked, so that nobody looks for the delivery.
      headers: signHeaders({ body, kind, eventId: id, deliveryId: streamedId(deps), now, secrets }),
      body,
    }));
  };
}

function streamedId({ ids }: Pick<Deps, 'ids'>): Id<'dlv'> {
  return `dlv_listen_${ids('dlv').slice('dlv_'.length)}`;
}
