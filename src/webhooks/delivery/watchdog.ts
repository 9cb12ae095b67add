import type { Deps } from '../../deps.ts';
import { CLOCK_DIFFERENCE_MS_MAX } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { createPeriodicJob, type PeriodicJob } from '../../kernel/periodic.ts';
import {
  bringForward,
  dueOfMerchant,
  isPlannedAfter,
  oldestDueAt,
  type Queue,
  walkMerchants,
} from './due-store.ts';
import { RETRY_WAIT_MS_MAX } from './schedule.ts';
import type { Slots } from './slots.ts';
import type { OwnDelivery } from './store.ts';

const CHECK_MS = 5000;
/** After a longer time between two checks, the process was suspended or its clock was set. */
const PAUSE_MS_MAX = 2 * CHECK_MS;
/** A due delivery with a free slot is claimed within milliseconds; this long means a fault. */
const UNCLAIMED_MAX_MS = 30_000;
/** No delivery is planned further ahead unless the clock was set back. */
const PLANNED_AHEAD_MS_MAX = RETRY_WAIT_MS_MAX + CLOCK_DIFFERENCE_MS_MAX;
/** Merchants watched at once. */
const WATCHED_MAX = 64;

/** The first due delivery of a merchant that has a free slot, and since when the watchdog has seen it. */
interface Head extends OwnDelivery {
  since: number;
}

/**
 * Finds due deliveries that are not claimed although their merchant has a free slot. It reads the database itself and
 * uses no state of the dispatcher except the slots. It checks only the head of each merchant's queue, so a backlog that
 * waits for slots is not reported. It also brings forward deliveries that were planned before the clock was set back.
 */
export class Watchdog {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>;
  readonly #slots: Readonly<Record<Queue, Slots>>;
  readonly #job: PeriodicJob;
  readonly #heads: Record<Queue, Map<Id<'mer'>, Head>> = { fresh: new Map(), recovery: new Map() };
  /** The merchant after whom the next check of each queue continues. */
  readonly #cursors: Record<Queue, string> = { fresh: '', recovery: '' };
  #isAlarmed = false;
  /** The end of the last check. */
  #checkedAt = 0;

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>, slots: Readonly<Record<Queue, Slots>>) {
    this.#deps = deps;
    this.#slots = slots;
    this.#job = createPeriodicJob({
      clock: deps.clock,
      firstAfterMs: CHECK_MS,
      run: (isStopping) => this.#check(isStopping),
      retryAfterMs: CHECK_MS,
      // The dispatcher uses the same database and logs why it does not answer.
      onError: () => deps.metrics.deliveriesUnclaimed(Number.NaN),
    });
  }

  start(): void {
    this.#job.start();
  }

  async stop(): Promise<void> {
    await this.#job.stop();
  }

  /** Resolves to the milliseconds until the next check. */
  async #check(isStopping: () => boolean): Promise<number> {
    const { clock } = this.#deps;
    // While the process was suspended, nothing could be claimed: a wait counts from now.
    if (Math.abs(clock.now() - this.#checkedAt) > PAUSE_MS_MAX)
      for (const heads of Object.values(this.#heads)) heads.clear();
    for (const queue of ['fresh', 'recovery'] as const) await this.#bringForward(queue, isStopping);
    const now = clock.now();
    const heads = [...(await this.#headsOf('fresh', now)), ...(await this.#headsOf('recovery', now))];
    const oldest = heads.toSorted((a, b) => a.since - b.since)[0];
    const waitedMs = oldest === undefined ? 0 : now - oldest.since;
    this.#deps.metrics.deliveriesUnclaimed(waitedMs / 1000);
    this.#log(oldest, waitedMs);
    this.#checkedAt = clock.now();
    return CHECK_MS;
  }

  async #bringForward(queue: Queue, isStopping: () => boolean): Promise<void> {
    const { db, clock } = this.#deps;
    const latest = () => clock.now() + PLANNED_AHEAD_MS_MAX;
    if (!(await isPlannedAfter(db.read, queue, latest()))) return;
    // If only this clock is behind, bringing forward would shorten the waits of other processes.
    await clock.correct?.();
    while (!isStopping() && (await isPlannedAfter(db.read, queue, latest())))
      await db.unit((tx) => bringForward(tx, queue, { at: latest(), now: clock.now() }));
  }

  async #headsOf(queue: Queue, now: number): Promise<Iterable<Head>> {
    const heads = this.#heads[queue];
    const oldest = await oldestDueAt(this.#deps.db.read, now, queue);
    if (oldest === null || oldest > now - CHECK_MS) {
      heads.clear();
      return [];
    }
    for (const head of [...heads.values()]) {
      const first = await this.#claimable(queue, head.merchant_id, now);
      if (first?.id !== head.id) heads.delete(head.merchant_id);
    }
    const room = WATCHED_MAX - heads.size;
    if (room > 0) {
      const merchants = await walkMerchants(
        this.#deps.db.read,
        { after: this.#cursors[queue], now, limit: room },
        queue,
      );
      this.#cursors[queue] = merchants.length < room ? '' : (merchants.at(-1)?.merchantId ?? '');
      for (const { merchantId, due } of merchants) {
        if (!due || heads.has(merchantId)) continue;
        const first = await this.#claimable(queue, merchantId, now);
        if (first) heads.set(merchantId, { ...first, since: now });
      }
    }
    return heads.values();
  }

  /** Returns the merchant's first due delivery if a slot is free for it. */
  async #claimable(queue: Queue, merchantId: Id<'mer'>, now: number): Promise<OwnDelivery | undefined> {
    const [first] = await dueOfMerchant(this.#deps.db.read, { merchantId, now }, queue, 1);
    const slots = this.#slots[queue];
    const hasSlot = first !== undefined && (slots.room(merchantId) > 0 || slots.has(first.id));
    return hasSlot ? first : undefined;
  }

  #log(oldest: Head | undefined, waitedMs: number): void {
    const { log } = this.#deps;
    const isUnclaimed = oldest !== undefined && waitedMs >= UNCLAIMED_MAX_MS;
    if (isUnclaimed === this.#isAlarmed) return;
    this.#isAlarmed = isUnclaimed;
    if (!isUnclaimed) {
      log.warn('due deliveries are claimed again');
      return;
    }
    log.error(
      { deliveryId: oldest.id, merchantId: oldest.merchant_id, waitedMs },
      'a due delivery is not claimed although its merchant has free slots; restart the service if this persists',
    );
  }
}
