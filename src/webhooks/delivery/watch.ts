import type { Queryable } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { type DueDelivery, dueOfMerchant, type Lane, oldestDueAt, walkMerchants } from './due-store.ts';
import type { Slots } from './slots.ts';

const LOOK_MS = 5000;
/** A due delivery that could be claimed is claimed in milliseconds; this long means that something is broken. */
const UNCLAIMED_MAX_MS = 30_000;
/** Merchants that are watched at a time, and looks before the next so many are. */
const MERCHANTS_MAX = 64;
const LOOKS_MAX = 8;

/** The delivery at the head of a merchant's queue, and since when it has been seen there. */
interface Head {
  id: Id<'dlv'>;
  merchantId: Id<'mer'>;
  since: number;
}

/**
 * Finds due deliveries that nobody claims, whatever the reason: it asks the database on a timer of its own and trusts
 * nothing that the dispatcher believes, except whether a merchant has a free slot. A queue moves from its head, so
 * one delivery that stays there while its merchant has room is being left; a backlog that only waits for slots is not. Sets
 * the metric, logs one line when it begins and one when it ends, and wakes the dispatcher.
 */
export class Watch {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>;
  readonly #queues: readonly WatchedQueue[];
  readonly #wake: () => void;
  #alarmed = false;
  #cancelTimer: (() => void) | null = null;

  constructor(
    deps: Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>,
    options: { slots: Readonly<Record<Lane, Slots>>; wake: () => void },
  ) {
    this.#deps = deps;
    this.#queues = (['fresh', 'recovery'] as const).map(
      (lane) => new WatchedQueue(deps.db.read, lane, options.slots[lane]),
    );
    this.#wake = options.wake;
  }

  start(): void {
    const arm = () => {
      this.#cancelTimer = this.#deps.clock.after(LOOK_MS, async () => {
        await this.#look();
        if (this.#cancelTimer) arm();
      });
    };
    arm();
  }

  stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  /** Never throws. */
  async #look(): Promise<void> {
    const { clock, metrics } = this.#deps;
    const now = clock.now();
    const left: Head[] = [];
    try {
      for (const queue of this.#queues) left.push(...(await queue.look(now, !this.#alarmed)));
    } catch {
      // The dispatcher asks the same database, and logs why it does not answer.
      metrics.deliveriesUnclaimed(Number.NaN);
      return;
    }
    const longest = left.toSorted((a, b) => a.since - b.since)[0];
    const waitedMs = longest === undefined ? 0 : now - longest.since;
    metrics.deliveriesUnclaimed(waitedMs / 1000);
    this.#tell(longest, waitedMs);
  }

  #tell(longest: Head | undefined, waitedMs: number): void {
    const { log } = this.#deps;
    const unclaimed = longest !== undefined && waitedMs >= UNCLAIMED_MAX_MS;
    if (unclaimed) this.#wake();
    if (unclaimed === this.#alarmed) return;
    this.#alarmed = unclaimed;
    if (longest === undefined || !unclaimed) {
      log.warn('due deliveries are claimed again');
      return;
    }
    const { id, merchantId } = longest;
    log.error(
      { deliveryId: id, merchantId, waitedMs },
      'a due delivery is not claimed although its merchant has free slots: the dispatcher or the database is stuck; restart the service if this stays',
    );
  }
}

/** One lane's queues, so many merchants at a time, each for as many looks as it takes to be sure of them. */
class WatchedQueue {
  readonly #db: Queryable;
  readonly #lane: Lane;
  readonly #slots: Slots;
  #heads = new Map<Id<'mer'>, Head>();
  /** The merchants watched now are those after `after`, up to `last`. */
  #after = '';
  #last = '';
  #looks = 0;

  constructor(db: Queryable, lane: Lane, slots: Slots) {
    this.#db = db;
    this.#lane = lane;
    this.#slots = slots;
  }

  /** The heads that could be claimed at `now`. Goes on to the next merchants when it may. */
  async look(now: number, mayMoveOn: boolean): Promise<Iterable<Head>> {
    const heads = new Map<Id<'mer'>, Head>();
    const oldest = await oldestDueAt(this.#db, now, this.#lane);
    // What fell due since the last look cannot have been left for long.
    const merchants = oldest === null || oldest > now - LOOK_MS ? [] : await this.#walk(now, mayMoveOn);
    for (const { merchantId, due } of merchants) {
      const [first] = due ? await dueOfMerchant(this.#db, merchantId, now, 1, this.#lane) : [];
      if (first === undefined || !this.#mayGo(first)) continue;
      const known = this.#heads.get(merchantId);
      heads.set(merchantId, known?.id === first.id ? known : { id: first.id, merchantId, since: now });
    }
    this.#heads = heads;
    return heads.values();
  }

  /** Its merchant has a free slot; or it has one itself and still stands there as due. */
  #mayGo({ id, merchantId }: DueDelivery): boolean {
    return this.#slots.room(merchantId) > 0 || this.#slots.has(id);
  }

  async #walk(now: number, mayMoveOn: boolean) {
    if (mayMoveOn && this.#looks >= LOOKS_MAX) {
      this.#after = this.#last;
      this.#looks = 0;
    }
    this.#looks++;
    let merchants = await walkMerchants(this.#db, this.#after, now, MERCHANTS_MAX, this.#lane);
    if (merchants.length === 0 && this.#after !== '') {
      this.#after = '';
      merchants = await walkMerchants(this.#db, '', now, MERCHANTS_MAX, this.#lane);
    }
    this.#last = merchants.at(-1)?.merchantId ?? '';
    return merchants;
  }
}
