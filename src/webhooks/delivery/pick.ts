import type { Queryable } from '../../db/database.ts';
import type { Id } from '../../kernel/ids.ts';
import { type DueDelivery, dueHead, dueOfMerchant, type Lane, walkMerchants } from './due-store.ts';
import type { Slots } from './slots.ts';

/** A queue shorter than this is read whole, oldest first. */
const HEAD_MAX = 256;
/** Merchants looked at in one round of a backlog. */
const MERCHANTS_MAX = 256;

export interface Picked {
  ids: Id<'dlv'>[];
  /** Merchants remain that this round did not look at: pick again at once. */
  more: boolean;
  /** What is due and was left for want of slots: pick again when one is given back that may help. */
  left: Left;
  /** Whether everybody's deliveries were looked at; false after a look at some merchants alone. */
  whole: boolean;
}

/** The merchants that had to leave something; `unknown` when not all were looked at. */
export type Left = ReadonlySet<Id<'mer'>> | 'unknown';

/**
 * Chooses which due deliveries go next. A short queue is read whole. In a backlog, oldest first would read one
 * saturated merchant's queue again and again before it came to anybody else's: there the choice goes round the merchants,
 * and the queue of one without a free slot is not read at all.
 */
export class Picker {
  readonly #db: Queryable;
  readonly #slots: Slots;
  readonly #lane: Lane;
  #backlog = false;
  /** The merchant after whom the next round of a backlog begins. */
  #cursor = '';
  /** Slow merchants with something due that the way round has passed so far. */
  #passed: Id<'mer'>[] = [];

  constructor(db: Queryable, slots: Slots, lane: Lane) {
    this.#db = db;
    this.#slots = slots;
    this.#lane = lane;
  }

  /** Picks for one claim, in a backlog from the queues of `lookFor` alone when it is given, and takes a slot for each; the caller gives the slots of those it does not send back. When a look fails none stays taken. */
  async pick(now: number, lookFor: ReadonlySet<Id<'mer'>> | null = null): Promise<Picked> {
    this.#slots.notice(now);
    if (this.#slots.free === 0) return { ids: [], more: false, left: 'unknown', whole: true };
    if (this.#backlog) {
      return lookFor === null ? await this.#pickAround(now) : await this.#pickOf(lookFor, now);
    }
    const head = await dueHead(this.#db, now, HEAD_MAX, this.#lane);
    if (head.length < HEAD_MAX) {
      const ids = this.#take(head, now);
      const left = head.filter(({ id }) => !this.#slots.has(id)).map(({ merchantId }) => merchantId);
      return { ids, more: false, left: new Set(left), whole: true };
    }
    this.#backlog = true;
    return await this.#pickAround(now);
  }

  /** Slow ones come last, all of them together: else those of the first part of the way would have every turn. */
  async #pickAround(now: number): Promise<Picked> {
    const fromStart = this.#cursor === '';
    if (fromStart) this.#passed = [];
    const merchants = await walkMerchants(this.#db, this.#cursor, now, MERCHANTS_MAX, this.#lane);
    const ended = merchants.length < MERCHANTS_MAX;
    this.#cursor = ended ? '' : (merchants.at(-1)?.merchantId ?? '');
    const due = merchants.filter((merchant) => merchant.due).map(({ merchantId }) => merchantId);
    const prompt = due.filter((merchantId) => !this.#slots.isSlow(merchantId));
    this.#passed.push(...due.filter((merchantId) => this.#slots.isSlow(merchantId)));
    const { ids, left } = await this.#pickFrom(ended ? [...prompt, ...this.#passed] : prompt, now);
    const whole = ended && fromStart;
    if (whole && left.size === 0) this.#backlog = false;
    return { ids, more: !ended, left: whole ? left : 'unknown', whole: true };
  }

  /** Looks at these merchants alone: the walk past everybody's queue costs more than all else of a delivery. */
  async #pickOf(merchants: ReadonlySet<Id<'mer'>>, now: number): Promise<Picked> {
    return { ...(await this.#pickFrom([...merchants], now)), more: false, whole: false };
  }

  async #pickFrom(merchants: readonly Id<'mer'>[], now: number) {
    const ids: Id<'dlv'>[] = [];
    try {
      return { ids, left: await this.#pickInto(ids, merchants, now) };
    } catch (error) {
      // Nobody hears of them, and nobody else would give back what they hold.
      for (const id of ids) this.#slots.give(id);
      throw error;
    }
  }

  /**
   * Adds to `ids`, and resolves to who had to leave something. Each of the slow gets one before any of them gets more: else every
   * long queue would hold all of their slots for a turn.
   */
  async #pickInto(ids: Id<'dlv'>[], merchants: readonly Id<'mer'>[], now: number): Promise<Set<Id<'mer'>>> {
    const left = new Set<Id<'mer'>>();
    const take = async (merchantId: Id<'mer'>, roomMax: number, taken: number) => {
      const room = Math.min(roomMax, this.#slots.room(merchantId));
      // One more than fits tells whether the queue is longer than its merchant's share; what was just taken stands there still.
      const limit = taken + room + 1;
      const queue = room > 0 ? await dueOfMerchant(this.#db, merchantId, now, limit, this.#lane) : [];
      if (room === 0 || queue.length === limit) left.add(merchantId);
      else left.delete(merchantId);
      ids.push(...this.#take(queue.slice(0, taken + roomMax), now));
    };
    for (const merchantId of this.#inTurn(merchants, (id) => id)) {
      await take(merchantId, this.#slots.isSlow(merchantId) ? 1 : Number.POSITIVE_INFINITY, 0);
    }
    const wantMore = [...left].filter((id) => this.#slots.isSlow(id) && this.#slots.room(id) > 0);
    for (const merchantId of wantMore) await take(merchantId, Number.POSITIVE_INFINITY, 1);
    return left;
  }

  #take(due: readonly DueDelivery[], now: number): Id<'dlv'>[] {
    return this.#inTurn(due, ({ merchantId }) => merchantId)
      .filter(({ id, merchantId }) => this.#slots.take(id, merchantId, now))
      .map(({ id }) => id);
  }

  /** In their order, but those who must take turns last, one after the other and each by its turn. */
  #inTurn<T>(wanting: readonly T[], merchantOf: (one: T) => Id<'mer'>): T[] {
    const before = new Map<Id<'mer'>, number>();
    return wanting
      .map((one) => {
        const merchantId = merchantOf(one);
        const place = this.#slots.place(merchantId);
        const round = place === 0 ? 0 : (before.get(merchantId) ?? 0);
        before.set(merchantId, round + 1);
        return { one, place, round };
      })
      .sort((a, b) => a.round - b.round || a.place - b.place)
      .map(({ one }) => one);
  }
}
