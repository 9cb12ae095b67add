import type { EventKind } from '../../db/tables/webhooks.ts';
import type { Deps } from '../../deps.ts';
import { type Clock, isoInstant } from '../../kernel/clock.ts';
import { errorText } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { createPeriodicJob, type PeriodicJob } from '../../kernel/periodic.ts';
import { createSecretReader, signHeaders } from '../signature.ts';
import { eventsAfter } from '../store.ts';
import { encryptedSecretsOf, lastNumbersOf } from './store.ts';

/** Events that another process numbered are found within this time, by one query for all streams. */
const POLL_MS = 1000;
/** A stream without events sends a heartbeat after this time, because proxies close idle connections. */
const HEARTBEAT_MS = 15_000;
/** Events that one stream holds in memory at most. */
const PAGE_MAX = 20;
const STREAMS_MAX = 200;
const STREAMS_PER_MERCHANT_MAX = 4;

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

/** Why a stream ends: the service stops, its merchant opened too many others, or its key or account is closed. */
export type EndReason = 'stopping' | 'replaced' | 'closed';

export type ListenMessage =
  | { kind: 'event'; event: ListenedEvent }
  | { kind: 'heartbeat' }
  | { kind: 'end'; reason: EndReason };

export interface ListenOptions {
  merchantId: Id<'mer'>;
  /** The sequence number after which the stream begins. */
  after: number;
  /** Whether the caller is still authorised; called before each read. */
  isAllowed: () => Promise<boolean>;
  /** Aborts when the client has disconnected. */
  signal: AbortSignal;
}

type ListenDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'box' | 'log'>;

/** One open stream. */
class Stream {
  readonly merchantId: Id<'mer'>;
  after: number;
  ended: EndReason | null = null;
  #isWoken = false;
  #stopWaiting = () => {};

  constructor(merchantId: Id<'mer'>, after: number) {
    this.merchantId = merchantId;
    this.after = after;
  }

  wake(): void {
    this.#isWoken = true;
    this.#stopWaiting();
  }

  end(reason: EndReason): void {
    this.ended = reason;
    this.wake();
  }

  /** Resolves to true once the stream is woken, and to false after `waitMs` without a wake. */
  async woken(clock: Clock, waitMs: number): Promise<boolean> {
    if (!this.#isWoken) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#stopWaiting = resolve;
      const cancel = clock.after(waitMs, resolve);
      await promise;
      cancel();
    }
    const isWoken = this.#isWoken;
    this.#isWoken = false;
    return isWoken;
  }
}

/** Streams of events for developers of receivers. A stream makes no deliveries and writes nothing to the database. */
export class Listening {
  readonly #deps: ListenDeps;
  readonly #readSecrets: ReturnType<typeof createSecretReader>;
  readonly #streams = new Set<Stream>();
  readonly #poll: PeriodicJob;
  #isClosed = false;

  constructor(deps: ListenDeps) {
    this.#deps = deps;
    this.#readSecrets = createSecretReader(deps.box);
    this.#poll = createPeriodicJob({
      clock: deps.clock,
      firstAfterMs: POLL_MS,
      run: () => this.#wakeBehind(),
      retryAfterMs: POLL_MS,
      onError: (error) => deps.log.warn({ detail: errorText(error) }, 'cannot read new events; retrying'),
    });
    this.#poll.start();
  }

  /** Opens a stream; null when the process has too many. A merchant's fifth stream ends its oldest one. */
  open(options: ListenOptions): AsyncGenerator<ListenMessage> | null {
    if (this.#streams.size >= STREAMS_MAX) return null;
    const { merchantId } = options;
    const stream = new Stream(merchantId, options.after);
    const own = [...this.#streams].filter((other) => other.merchantId === merchantId);
    if (own[0] && own.length >= STREAMS_PER_MERCHANT_MAX) this.#end(own[0], 'replaced');
    this.#streams.add(stream);
    if (this.#isClosed) this.#end(stream, 'stopping');
    return this.#run(stream, options);
  }

  /** Makes the streams of these merchants read new events. Cheap. */
  wake(merchantIds: Iterable<Id<'mer'>>): void {
    const woken = new Set(merchantIds);
    for (const stream of this.#streams) if (woken.has(stream.merchantId)) stream.wake();
  }

  /** Ends every stream; streams opened later end at once. */
  close(): void {
    this.#isClosed = true;
    void this.#poll.stop();
    for (const stream of this.#streams) this.#end(stream, 'stopping');
  }

  #end(stream: Stream, reason: EndReason): void {
    this.#streams.delete(stream);
    stream.end(reason);
  }

  async *#run(stream: Stream, { isAllowed, signal }: ListenOptions): AsyncGenerator<ListenMessage> {
    signal.addEventListener('abort', () => stream.wake(), { once: true });
    try {
      while (!signal.aborted) {
        if (stream.ended === null && !(await isAllowed())) this.#end(stream, 'closed');
        const page = stream.ended === null ? await this.#read(stream) : [];
        for (const event of page) {
          yield { kind: 'event', event };
          stream.after = event.sequence;
          if (stream.ended !== null) break;
        }
        if (stream.ended !== null) {
          yield { kind: 'end', reason: stream.ended };
          return;
        }
        if (page.length > 0 || signal.aborted) continue;
        if (!(await stream.woken(this.#deps.clock, HEARTBEAT_MS))) yield { kind: 'heartbeat' };
      }
    } finally {
      this.#streams.delete(stream);
    }
  }

  /** Wakes the streams whose merchant has an event that they have not seen. */
  async #wakeBehind(): Promise<number> {
    const merchantIds = [...new Set([...this.#streams].map(({ merchantId }) => merchantId))];
    if (merchantIds.length > 0) {
      const last = await lastNumbersOf(this.#deps.db.read, merchantIds);
      for (const stream of this.#streams) {
        if ((last.get(stream.merchantId) ?? 0) > stream.after) stream.wake();
      }
    }
    return POLL_MS;
  }

  /** Returns the stream's next events, signed now by the rules of a delivery. */
  async #read({ merchantId, after }: Stream): Promise<ListenedEvent[]> {
    const { db, clock, ids } = this.#deps;
    const rows = await eventsAfter(db.read, merchantId, after, PAGE_MAX);
    const encrypted = rows.length === 0 ? undefined : await encryptedSecretsOf(db.read, merchantId);
    if (encrypted === undefined) return [];
    const now = clock.now();
    const secrets = this.#readSecrets(merchantId, encrypted, now);
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
}
