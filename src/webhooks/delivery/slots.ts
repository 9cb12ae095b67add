import type { Id } from '../../kernel/ids.ts';

export interface SlotLimits {
  /** Attempts in flight at once, of all merchants together. */
  inFlightMax: number;
  /** Attempts in flight at once of one merchant. */
  perMerchantMax: number;
}

/** A merchant may hold this part of what is still free, so that greedy ones always leave room for the next. */
const SHARE_OF_FREE = 1 / 8;
/** An attempt that took longer, half its deadline, says that the endpoint hangs or nearly does. */
const PROMPT_MS = 4000;
/** What is known of a merchant's endpoint: nothing yet, or how its last attempt went. */
type Repute = 'unknown' | 'prompt' | 'slow';
/** What all merchants of a repute may hold together, in parts of what one merchant may; prompt ones are not bounded so. */
const POOL = { unknown: 2, slow: 1 / 4 } as const;
/** What one of them may hold of what the others leave of that. */
const SHARE_OF_POOL = { unknown: 1 / 2, slow: 1 } as const;
/** An attempt in flight. */
interface Holder {
  readonly merchantId: Id<'mer'>;
  /** UTC milliseconds. */
  readonly since: number;
}

/** Merchants remembered. One that is forgotten is known again after its next attempt. */
const REMEMBERED_MAX = 50_000;

/** Whether an attempt that ended so says that its endpoint hangs. */
export function hung(durationMs: number, succeeded: boolean): boolean {
  return durationMs > PROMPT_MS && !succeeded;
}

/**
 * The bulkhead: who holds how many attempts in flight. A merchant's limit shrinks with what is left: with 1024 slots
 * one has 32, five hundred have 2 each and 16 remain.
 *
 * Many slots must be earned: until an attempt has ended promptly a merchant shares a small pool with all of its kind, where
 * one alone has 32, fifty have 62 between the first five and 1 each for the others.
 *
 * Those whose last attempt hung share a smaller one, 8 slots, and take turns in it. An attempt that hangs for 8 s costs a
 * connection, a handshake and two commits, 5 to 9 ms of the one thread: with a slot for each of fifty that was 5 % of all
 * time, and a healthy merchant's p99 rose by half; with 8 it is one attempt a second whatever the number of the hanging, and
 * thousands of them cannot take the slots of others.
 */
export class Slots {
  readonly #limits: SlotLimits;
  /** Oldest first. */
  readonly #holders = new Map<Id<'dlv'>, Holder>();
  readonly #held = new Map<Id<'mer'>, number>();
  /** Merchants known to be prompt or slow, longest known first. */
  readonly #reputes = new Map<Id<'mer'>, Exclude<Repute, 'unknown'>>();
  /** Slots held by merchants of each repute. */
  readonly #heldBy: Record<Repute, number> = { unknown: 0, prompt: 0, slow: 0 };
  /** When slow merchants last took a slot, by count. */
  readonly #turns = new Map<Id<'mer'>, number>();
  #turn = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Slots that nobody holds. */
  get free(): number {
    return this.#limits.inFlightMax - this.#holders.size;
  }

  /** How many more attempts this merchant may have in flight now. */
  room(merchantId: Id<'mer'>): number {
    if (this.free === 0) return 0;
    const held = this.#held.get(merchantId) ?? 0;
    const repute = this.#repute(merchantId);
    const share = this.free * SHARE_OF_FREE;
    if (repute === 'prompt') return this.#roomWithin(share, held);
    const left = this.#poolOf(repute) - (this.#heldBy[repute] - held);
    // A newcomer always has one: nothing says yet that its endpoint hangs.
    if (repute === 'slow' && left < 1) return 0;
    return this.#roomWithin(Math.min(share, left * SHARE_OF_POOL[repute]), held);
  }

  /** What all merchants of this repute may hold together. */
  #poolOf(repute: keyof typeof POOL): number {
    return Math.max(1, this.#limits.perMerchantMax * POOL[repute]);
  }

  /** At least one slot, at most `share` of them, less those it has. */
  #roomWithin(share: number, held: number): number {
    return Math.max(0, Math.min(this.#limits.perMerchantMax, Math.max(1, Math.floor(share))) - held);
  }

  /**
   * Whether a slot that this merchant gives back gives room to anybody, itself included: not while the pool of the slow is fuller than
   * it should be. Fifty that hung together gave back a hundred slots within one second, and had 39 looks at all queues for it, a
   * millisecond each, where eight found somebody to send to.
   */
  freesAny(merchantId: Id<'mer'>): boolean {
    return (
      !this.isSlow(merchantId) ||
      this.#heldBy.slow <= this.#poolOf('slow') ||
      this.free * SHARE_OF_FREE < this.#limits.perMerchantMax + 1
    );
  }

  /**
   * Whether a slot that this merchant gave back gives room to another: when the two share a pool, or when so few are free
   * that they limit everybody.
   */
  freesOthers(merchantId: Id<'mer'>): boolean {
    return (
      this.#repute(merchantId) !== 'prompt' || this.free * SHARE_OF_FREE < this.#limits.perMerchantMax + 1
    );
  }

  /**
   * The place of a merchant among those who want slots, lowest first: slow ones after all others, those that waited longest
   * first. Without turns, the same eight would have the pool of the slow for ever.
   */
  place(merchantId: Id<'mer'>): number {
    return this.#repute(merchantId) === 'slow' ? (this.#turns.get(merchantId) ?? 0) + 1 : 0;
  }

  /** Whether this delivery has a slot. */
  has(id: Id<'dlv'>): boolean {
    return this.#holders.has(id);
  }

  /** Takes a slot for a delivery; false when its merchant has no room or the delivery is in flight already. */
  take(id: Id<'dlv'>, merchantId: Id<'mer'>, now: number): boolean {
    if (this.#holders.has(id) || this.room(merchantId) === 0) return false;
    this.#holders.set(id, { merchantId, since: now });
    this.#hold(merchantId, 1);
    return true;
  }

  /** Gives a delivery's slot back. */
  give(id: Id<'dlv'>): void {
    const holder = this.#holders.get(id);
    if (holder === undefined) return;
    this.#holders.delete(id);
    this.#hold(holder.merchantId, -1);
  }

  /** Whether this merchant's last attempt, as far as it is remembered, hung or nearly did. */
  isSlow(merchantId: Id<'mer'>): boolean {
    return this.#repute(merchantId) === 'slow';
  }

  /**
   * An attempt of this merchant took so long. One that succeeded late cost no more than a wait: its merchant has one slot as long as any
   * is free. Whether the merchant counted as slow until now: what it holds then makes room for others of that kind.
   */
  heard(merchantId: Id<'mer'>, durationMs: number, succeeded: boolean): boolean {
    const repute = durationMs <= PROMPT_MS ? 'prompt' : hung(durationMs, succeeded) ? 'slow' : 'unknown';
    const before = this.#repute(merchantId);
    if (repute === before) return false;
    this.#move(merchantId, repute);
    return before === 'slow';
  }

  /**
   * Notices whose attempts run for too long already. Without it, fifty that hang together would be heard one after the other,
   * and each would leave room for more to those not heard yet.
   */
  notice(now: number): void {
    for (const { merchantId, since } of this.#holders.values()) {
      if (now - since <= PROMPT_MS) return;
      if (!this.isSlow(merchantId)) this.#move(merchantId, 'slow');
    }
  }

  #repute(merchantId: Id<'mer'>): Repute {
    return this.#reputes.get(merchantId) ?? 'unknown';
  }

  /** What is known of a merchant changes, and its slots count where they now belong. */
  #move(merchantId: Id<'mer'>, to: Repute): void {
    const held = this.#held.get(merchantId) ?? 0;
    this.#heldBy[this.#repute(merchantId)] -= held;
    this.#heldBy[to] += held;
    this.#reputes.delete(merchantId);
    if (to !== 'unknown') this.#reputes.set(merchantId, to);
    if (to === 'slow') this.#turns.set(merchantId, ++this.#turn);
    else this.#turns.delete(merchantId);
    const [longest] = this.#reputes.keys();
    if (this.#reputes.size > REMEMBERED_MAX && longest !== undefined) this.#move(longest, 'unknown');
  }

  #hold(merchantId: Id<'mer'>, change: 1 | -1): void {
    const held = (this.#held.get(merchantId) ?? 0) + change;
    if (held > 0) this.#held.set(merchantId, held);
    else this.#held.delete(merchantId);
    const repute = this.#repute(merchantId);
    this.#heldBy[repute] += change;
    if (repute === 'slow' && change > 0) this.#turns.set(merchantId, ++this.#turn);
  }
}
