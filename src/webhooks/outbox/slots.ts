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
 * The bulkhead: who holds how many attempts in flight. A merchant's limit shrinks with what is left: with 1024 slots
 * one merchant has 32, fifty that hang have 17 each and 142 remain free, five hundred have 2 each and 16 remain.
 */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #holders = new Map<Id<'dlv'>, Id<'mer'>>();
  readonly #held = new Map<Id<'mer'>, number>();

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
    const share = Math.max(1, Math.floor(this.free * SHARE_OF_FREE));
    const held = this.#held.get(merchantId) ?? 0;
    return Math.max(0, Math.min(this.#limits.perMerchantMax, share) - held);
  }

  /** Takes a slot for a delivery; false when its merchant has no room or the delivery is in flight already. */
  take(id: Id<'dlv'>, merchantId: Id<'mer'>): boolean {
    if (this.#holders.has(id) || this.room(merchantId) === 0) return false;
    this.#holders.set(id, merchantId);
    this.#held.set(merchantId, (this.#held.get(merchantId) ?? 0) + 1);
    return true;
  }

  /** Gives a delivery's slot back. */
  give(id: Id<'dlv'>): void {
    const merchantId = this.#holders.get(id);
    if (merchantId === undefined) return;
    this.#holders.delete(id);
    const held = (this.#held.get(merchantId) ?? 1) - 1;
    if (held > 0) this.#held.set(merchantId, held);
    else this.#held.delete(merchantId);
  }
}
