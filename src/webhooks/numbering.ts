import type { Tx } from '../db/database.ts';
import { lockNumber } from '../db/row-locks.ts';
import type { Deps } from '../deps.ts';
import { errorText } from '../kernel/errors.ts';
import { takeNumbers, unnumberedEvents, writeNumbers } from './numbering-store.ts';

/** An arbitrary number that must never change. */
const NUMBERING_LOCK = 7_206_519_342;
/** Events numbered in one database transaction. */
const NUMBERED_MAX = 256;

/**
 * Gives events without a sequence number the next numbers of their merchants, in commit order and in its own database
 * transaction, so that payments never wait for it.
 */
export class Numbering {
  readonly #deps: Pick<Deps, 'db' | 'log'>;
  readonly #onMore: () => void;
  #running: Promise<void> | null = null;
  /** False when a call did not wait for the running numbering and may check deliveries before their events are numbered. */
  #isAwaited = true;
  /** Whether the last database transaction numbered the maximum number of events. */
  #isFull = false;
  /** Whether events may have been inserted since the last check that found none without a number. */
  #isRequested = true;

  /** Calls `onMore` when more events may need numbers, or when deliveries of just numbered events need a check. */
  constructor(deps: Pick<Deps, 'db' | 'log'>, onMore: () => void) {
    this.#deps = deps;
    this.#onMore = onMore;
  }

  /** Makes the next `isNeeded` look for events. */
  request(): void {
    this.#isRequested = true;
  }

  /** Whether a request found events without a sequence number, or events are being numbered. Never rejects. */
  async isNeeded(): Promise<boolean> {
    if (this.#running !== null) return true;
    if (!this.#isRequested) return false;
    this.#isRequested = false;
    try {
      const isNeeded = (await unnumberedEvents(this.#deps.db.read, {}, 1)).length > 0;
      if (isNeeded) this.#isRequested = true;
      return isNeeded;
    } catch (error) {
      this.#isRequested = true;
      this.#logFailure(error);
      return false;
    }
  }

  /**
   * Starts to number events. Resolves when the next claim may be queued: on SQLite, where the two share a commit, once the
   * numbering is queued; on PostgreSQL once it is done, or immediately after a full one, because deliveries can be claimed
   * already. Never rejects.
   */
  async start(): Promise<void> {
    // A numbering in progress may have missed the events of this call.
    if (this.#running !== null) this.#isAwaited = false;
    this.#running ??= this.#run();
    if (this.#deps.db.engine === 'sqlite') return;
    if (this.#isFull) this.#isAwaited = false;
    else await this.#running;
  }

  /** Resolves when no events are being numbered. */
  async drain(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      const count = await this.#deps.db.unit(numberEvents);
      this.#isFull = count === NUMBERED_MAX;
    } catch (error) {
      this.#isFull = false;
      this.#logFailure(error);
    }
    const isMore = this.#isFull || !this.#isAwaited;
    this.#running = null;
    this.#isAwaited = true;
    if (isMore) this.#onMore();
  }

  #logFailure(error: unknown): void {
    this.#deps.log.error({ detail: errorText(error) }, 'cannot number events; retrying');
  }
}

/** Numbers the next events and resolves to how many. Throws when another process numbered one of them first. */
async function numberEvents(tx: Tx): Promise<number> {
  await lockNumber(tx, NUMBERING_LOCK);
  const events = await unnumberedEvents(tx, {}, NUMBERED_MAX);
  if (events.length === 0) return 0;
  const byMerchant = Map.groupBy(events, (event) => event.merchant_id);
  // The same order in all processes prevents deadlocks.
  const counts = [...byMerchant]
    .map(([merchant_id, { length }]) => ({ merchant_id, last_sequence: length }))
    .sort((a, b) => (a.merchant_id < b.merchant_id ? -1 : 1));
  const taken = await takeNumbers(tx, counts);
  const last = new Map(taken.map((row) => [row.merchant_id, row.last_sequence]));
  const numbers = [...byMerchant].flatMap(([merchantId, own]) =>
    own.map((event, i) => ({ ...event, sequence: (last.get(merchantId) ?? 0) - own.length + i + 1 })),
  );
  const written = await writeNumbers(tx, numbers);
  if (written.length !== events.length) throw new Error('another process numbered the same events first');
  return events.length;
}
