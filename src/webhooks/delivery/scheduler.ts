import type { Queryable } from '../../db/database.ts';
import type { Id } from '../../kernel/ids.ts';
import { dueHead, dueOfMerchant, type Queue, walkMerchants } from './due-store.ts';
import { type EndedAttempt, type SlotLimits, Slots, type Waiting } from './slots.ts';
import type { OwnDelivery } from './store.ts';

/** A shorter queue is read in one query, oldest first. */
const HEAD_MAX = 256;
/** Merchants read in one round of a backlog. */
const MERCHANTS_MAX = 256;
/** Limits are multiples of this, because each is a separate statement. */
const LIMIT_STEP = 16;
/** The most merchants requested by id; beyond it the request covers all merchants. */
const REQUESTED_MAX = 32;

/**
 * Chooses which due deliveries of one queue are sent next. A short queue is read oldest first. In a backlog that order would
 * repeatedly read one saturated merchant, so the scheduler iterates over the merchants and skips those without a free slot.
 */
export class Scheduler {
  readonly slots: Slots;
  readonly queue: Queue;
  readonly #db: Queryable;
  #requested: Set<Id<'mer'>> | 'all' | null = null;
  #waiting: Waiting = 'unknown';
  #isBacklog = false;
  /** The merchant after whom the next round of a backlog begins. */
  #cursor = '';
  /** Unresponsive merchants skipped in this pass; they are served at its end, so that each of them gets slots in turn. */
  #passed: Id<'mer'>[] = [];

  constructor(db: Queryable, queue: Queue, limits: SlotLimits) {
    this.#db = db;
    this.queue = queue;
    this.slots = new Slots(limits);
  }

  get isRequested(): boolean {
    return this.#requested !== null;
  }

  /** Requests a check of one merchant's due deliveries, or of those of all merchants. */
  request(merchantId?: Id<'mer'>): void {
    const requested = this.#requested ?? new Set();
    if (merchantId === undefined || requested === 'all' || requested.size >= REQUESTED_MAX) {
      this.#requested = 'all';
    } else {
      this.#requested = requested.add(merchantId);
    }
  }

  /**
   * Picks due deliveries of the requested merchants and takes a slot for each. The caller releases the slots it does not use.
   */
  async next(now: number): Promise<OwnDelivery[]> {
    const requested = this.#requested;
    if (requested === null) return [];
    const before = this.#waiting;
    this.#requested = null;
    // During the check, any released slot may be wanted.
    this.#waiting = 'unknown';
    this.slots.markOverdue(now);
    if (this.slots.free === 0) return [];
    if (this.#isBacklog && requested !== 'all') {
      const { taken, waiting } = await this.#takeOf([...requested], now);
      if (before !== 'unknown') this.#waiting = new Set([...before, ...waiting]);
      return taken;
    }
    if (!this.#isBacklog) {
      const head = await dueHead(this.#db, { now }, this.queue, HEAD_MAX);
      if (head.length < HEAD_MAX) return this.#takeHead(head, now);
      this.#isBacklog = true;
    }
    return await this.#takeRound(now);
  }

  /** Records how an attempt ended, releases its slot if it had one, and requests a check when the slot is wanted. */
  attemptEnded(id: Id<'dlv'>, merchantId: Id<'mer'>, ended: EndedAttempt): void {
    const wasUnresponsive = this.slots.isUnresponsive(merchantId);
    let isWanted = this.slots.has(id) && this.slots.isWanted(merchantId, this.#waiting);
    this.slots.recordHealth(merchantId, ended);
    // The slots of a recovered merchant no longer count in the pool of unresponsive merchants.
    if (wasUnresponsive && !this.slots.isUnresponsive(merchantId))
      isWanted ||= this.#waiting === 'unknown' || this.#waiting.size > 0;
    this.slots.release(id);
    if (isWanted) this.request();
  }

  #takeHead(head: readonly OwnDelivery[], now: number): OwnDelivery[] {
    const taken: OwnDelivery[] = [];
    const waiting = new Set<Id<'mer'>>();
    for (const delivery of this.#inTurn(head, (due) => due.merchant_id)) {
      const { id, merchant_id: merchantId } = delivery;
      if (this.slots.take(id, merchantId, now)) taken.push(delivery);
      else if (!this.slots.has(id)) waiting.add(merchantId);
    }
    this.#waiting = waiting;
    return taken;
  }

  /** One round of a backlog: the next merchants by id and, at the end of the pass, the unresponsive ones. */
  async #takeRound(now: number): Promise<OwnDelivery[]> {
    const isStart = this.#cursor === '';
    if (isStart) this.#passed = [];
    const merchants = await walkMerchants(
      this.#db,
      { after: this.#cursor, now, limit: MERCHANTS_MAX },
      this.queue,
    );
    const isEnd = merchants.length < MERCHANTS_MAX;
    this.#cursor = isEnd ? '' : (merchants.at(-1)?.merchantId ?? '');
    const served: Id<'mer'>[] = [];
    for (const { merchantId, due } of merchants) {
      if (due) (this.slots.isUnresponsive(merchantId) ? this.#passed : served).push(merchantId);
    }
    if (isEnd) served.push(...this.#passed);
    else this.request();
    const { taken, waiting } = await this.#takeOf(served, now);
    if (isStart && isEnd) {
      this.#waiting = waiting;
      if (waiting.size === 0) this.#isBacklog = false;
    }
    return taken;
  }

  async #takeOf(merchants: readonly Id<'mer'>[], now: number) {
    const taken: OwnDelivery[] = [];
    const waiting = new Set<Id<'mer'>>();
    try {
      for (const merchantId of this.#inTurn(merchants, (id) => id)) {
        const room = this.slots.room(merchantId);
        // One row more than fits shows that the merchant waits for further slots.
        const limit = Math.ceil((room + 1) / LIMIT_STEP) * LIMIT_STEP;
        const due = room > 0 ? await dueOfMerchant(this.#db, { merchantId, now }, this.queue, limit) : [];
        if (room === 0 || due.length > room) waiting.add(merchantId);
        taken.push(...due.filter(({ id }) => this.slots.take(id, merchantId, now)));
      }
    } catch (error) {
      for (const { id } of taken) this.slots.release(id);
      throw error;
    }
    return { taken, waiting };
  }

  #inTurn<T>(items: readonly T[], merchantOf: (item: T) => Id<'mer'>): T[] {
    return items.toSorted((a, b) => this.slots.turn(merchantOf(a)) - this.slots.turn(merchantOf(b)));
  }
}
