import type { Id } from '../../kernel/ids.ts';

export interface SlotLimits {
  /** Attempts in flight at once, of all merchants together. */
  inFlightMax: number;
  /** Attempts in flight at once of one merchant. */
  perMerchantMax: number;
}

/** A merchant may hold this part of what is still free, so that greedy ones always leave room for the next. */
const SHARE_OF_FREE = 1 / 8;
/**
 * All merchants together whose endpoints are not known to be prompt may hold so many times what one merchant may, and each
 * of them this part of what is left of that.
 */
const UNPROVEN_MERCHANTS = 2;
const UNPROVEN_SHARE = 1 / 2;
/** An attempt that took longer, half its deadline, says that the endpoint hangs or nearly does. */
const PROMPT_MS = 4000;
/** Merchants remembered as prompt. One that is forgotten is known again after its next attempt. */
const PROMPT_MAX = 50_000;
/** Merchants remembered as slow. */
const SLOW_MAX = 50_000;

/**
 * The bulkhead: who holds how many attempts in flight. A merchant's limit shrinks with what is left: with 1024 slots
 * one has 32, five hundred have 2 each and 16 remain.
 *
 * Many slots must be earned: until an attempt has ended promptly, and again after one that did not, a merchant shares
 * a small pool with all of its kind: one alone has 32, fifty have 62 between the first five and 1 each for the others. An
 * attempt that hangs costs a connection and a handshake every 8 s: when fifty endpoints hung with 17 attempts each, these
 * came in waves that held a healthy merchant's events up for two seconds. Every merchant has one slot as long as any is free.
 */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #unprovenMax: number;
  readonly #holders = new Map<Id<'dlv'>, Id<'mer'>>();
  readonly #held = new Map<Id<'mer'>, number>();
  readonly #prompt = new Set<Id<'mer'>>();
  /** Whose last attempt was not prompt. */
  readonly #slow = new Set<Id<'mer'>>();
  /** Slots held by merchants that are not known to be prompt. */
  #unproven = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
    this.#unprovenMax = limits.perMerchantMax * UNPROVEN_MERCHANTS;
  }

  /** Slots that nobody holds. */
  get free(): number {
    return this.#limits.inFlightMax - this.#holders.size;
  }

  /** How many more attempts this merchant may have in flight now. */
  room(merchantId: Id<'mer'>): number {
    if (this.free === 0) return 0;
    const held = this.#held.get(merchantId) ?? 0;
    let share = this.free * SHARE_OF_FREE;
    if (!this.#prompt.has(merchantId)) {
      const ofOthers = this.#unproven - held;
      share = Math.min(share, (this.#unprovenMax - ofOthers) * UNPROVEN_SHARE);
    }
    return Math.max(0, Math.min(this.#limits.perMerchantMax, Math.max(1, Math.floor(share))) - held);
  }

  /**
   * Whether a slot that this merchant gave back gives room to another: when the two share the pool of the unproven, or
   * when so few are free that they limit everybody.
   */
  freesOthers(merchantId: Id<'mer'>): boolean {
    return !this.#prompt.has(merchantId) || this.free * SHARE_OF_FREE < this.#limits.perMerchantMax + 1;
  }

  /** Whether this delivery has a slot. */
  has(id: Id<'dlv'>): boolean {
    return this.#holders.has(id);
  }

  /** Takes a slot for a delivery; false when its merchant has no room or the delivery is in flight already. */
  take(id: Id<'dlv'>, merchantId: Id<'mer'>): boolean {
    if (this.#holders.has(id) || this.room(merchantId) === 0) return false;
    this.#holders.set(id, merchantId);
    this.#hold(merchantId, 1);
    return true;
  }

  /** Gives a delivery's slot back. */
  give(id: Id<'dlv'>): void {
    const merchantId = this.#holders.get(id);
    if (merchantId === undefined) return;
    this.#holders.delete(id);
    this.#hold(merchantId, -1);
  }

  /** Whether this merchant's last attempt, as far as it is remembered, hung or nearly did. */
  isSlow(merchantId: Id<'mer'>): boolean {
    return this.#slow.has(merchantId);
  }

  /** An attempt of this merchant took so long. */
  heard(merchantId: Id<'mer'>, durationMs: number): void {
    const prompt = durationMs <= PROMPT_MS;
    if (prompt) this.#slow.delete(merchantId);
    else if (this.#slow.size < SLOW_MAX) this.#slow.add(merchantId);
    if (prompt === this.#prompt.has(merchantId)) return;
    const held = this.#held.get(merchantId) ?? 0;
    this.#unproven += prompt ? -held : held;
    if (!prompt) this.#prompt.delete(merchantId);
    else {
      if (this.#prompt.size >= PROMPT_MAX) this.#forgetOne();
      this.#prompt.add(merchantId);
    }
  }

  #hold(merchantId: Id<'mer'>, change: 1 | -1): void {
    const held = (this.#held.get(merchantId) ?? 0) + change;
    if (held > 0) this.#held.set(merchantId, held);
    else this.#held.delete(merchantId);
    if (!this.#prompt.has(merchantId)) this.#unproven += change;
  }

  /** Forgets the one that has been known longest. */
  #forgetOne(): void {
    for (const merchantId of this.#prompt) {
      this.#prompt.delete(merchantId);
      this.#unproven += this.#held.get(merchantId) ?? 0;
      return;
    }
  }
}
