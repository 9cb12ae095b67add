import type { Id } from '../../kernel/ids.ts';
import type { AttemptResult } from '../transport/exchange.ts';
import { ATTEMPT_TIMEOUT_MS } from './schedule.ts';

export interface SlotLimits {
  /** The most attempts in flight for all merchants. */
  inFlightMax: number;
  /** The most attempts in flight for one merchant; `PROMPT_FACTOR` times as many while its endpoint is prompt. */
  perMerchantMax: number;
}

/** A slot is also held during the commits of claim and outcome, so a prompt endpoint needs more slots to stay busy. */
export const PROMPT_FACTOR = 3;

/** The slots of recoveries, as shares of those of fresh events. */
const RECOVERY_IN_FLIGHT = 1 / 16;
const RECOVERY_PER_MERCHANT = 1 / 4;

/** Returns the limits of recoveries from those of fresh events. */
export function recoveryLimits({ inFlightMax, perMerchantMax }: SlotLimits): SlotLimits {
  return {
    inFlightMax: Math.ceil(inFlightMax * RECOVERY_IN_FLIGHT),
    perMerchantMax: Math.ceil(perMerchantMax * RECOVERY_PER_MERCHANT),
  };
}

/** The merchants whose due deliveries wait for a slot; unknown while not every queue has been read. */
export type Waiting = ReadonlySet<Id<'mer'>> | 'unknown';

/** The share of the free slots that one merchant may hold, so that the next merchant always finds free slots. */
const SHARE_OF_FREE = 1 / 8;
/** An attempt that succeeds within this time makes its endpoint prompt. */
const PROMPT_MAX_MS = 100;
/** After a failed attempt an endpoint does not count as prompt for this long, because it may limit concurrent requests. */
const NOT_PROMPT_MS = 3_600_000;
/** An attempt that takes longer and fails makes its endpoint unresponsive, unless another one succeeded in that time. */
const RESPONSIVE_MAX_MS = ATTEMPT_TIMEOUT_MS / 2;
/** Merchants whose endpoint health is remembered. */
const REMEMBERED_MAX = 50_000;

/** The health of a merchant's endpoint, from its last attempts. */
type Health = 'unknown' | 'prompt' | 'responsive' | 'unresponsive';
const UNLIMITED = Number.POSITIVE_INFINITY;
/** Slots for all merchants of one health together, as a multiple of `perMerchantMax`. */
const POOLS = { unknown: 2, prompt: UNLIMITED, responsive: UNLIMITED, unresponsive: 1 / 4 };
/** The share of a pool's free slots that one merchant may hold. */
const SHARE_OF_POOL = 1 / 2;

/** The members of an attempt's result that determine the endpoint's health. */
export type EndedAttempt = Pick<AttemptResult, 'durationMs' | 'endedAt' | 'error'>;

/** An attempt in flight; `since` in UTC milliseconds. */
interface Holder {
  readonly merchantId: Id<'mer'>;
  readonly since: number;
}

/**
 * Limits the attempts in flight. A merchant's limit shrinks with the number of free slots. Merchants whose endpoint has not
 * responded in time yet, or hangs for some events only, share one small pool; those whose endpoint hangs take turns in a smaller one.
 */
export class Slots {
  readonly #limits: SlotLimits;
  /** Oldest first. */
  readonly #holders = new Map<Id<'dlv'>, Holder>();
  readonly #heldOf = new Map<Id<'mer'>, number>();
  readonly #heldBy: Record<Health, number> = { unknown: 0, prompt: 0, responsive: 0, unresponsive: 0 };
  /** Least recently changed first; unknown is left out. */
  readonly #health = new Map<Id<'mer'>, Exclude<Health, 'unknown'>>();
  /** When the last attempt of each merchant failed. Least recent first. */
  readonly #failedAt = new Map<Id<'mer'>, number>();
  /** When the last attempt of each merchant succeeded within `RESPONSIVE_MAX_MS`. Least recent first. */
  readonly #succeededAt = new Map<Id<'mer'>, number>();
  /** When each unresponsive merchant last took a slot, as a count. */
  readonly #turns = new Map<Id<'mer'>, number>();
  #turnsCount = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Slots that no attempt holds. */
  get free(): number {
    return this.#limits.inFlightMax - this.#holders.size;
  }

  /** Returns how many more attempts this merchant may have in flight now. */
  room(merchantId: Id<'mer'>): number {
    if (this.free === 0) return 0;
    const held = this.#heldOf.get(merchantId) ?? 0;
    const health = this.#healthOf(merchantId);
    const left = this.#poolOf(health) - (this.#heldBy[health] - held);
    // An endpoint of unknown health always gets one attempt.
    if (health === 'unresponsive' && left < 1) return 0;
    const share = Math.min(this.free * SHARE_OF_FREE, left * SHARE_OF_POOL);
    return Math.max(0, Math.min(this.#limitOf(health, held), Math.max(1, Math.floor(share))) - held);
  }

  /** Whether a slot released by this merchant lets one of the waiting merchants send. */
  isWanted(merchantId: Id<'mer'>, waiting: Waiting): boolean {
    const health = this.#healthOf(merchantId);
    const isScarce = this.free * SHARE_OF_FREE < this.#limits.perMerchantMax + 1;
    const isPoolOverfull =
      health === 'unresponsive' && this.#heldBy.unresponsive > this.#poolOf('unresponsive');
    if (isPoolOverfull && !isScarce) return false;
    if (waiting === 'unknown' || waiting.has(merchantId)) return true;
    return waiting.size > 0 && (isScarce || POOLS[health] < UNLIMITED);
  }

  /** The sort key for assigning slots: unresponsive merchants come last, the longest waiting of them first. */
  turn(merchantId: Id<'mer'>): number {
    return this.isUnresponsive(merchantId) ? (this.#turns.get(merchantId) ?? 0) + 1 : 0;
  }

  /** Takes a slot; false when the merchant has no room or the delivery has a slot already. */
  take(id: Id<'dlv'>, merchantId: Id<'mer'>, now: number): boolean {
    if (this.#holders.has(id) || this.room(merchantId) === 0) return false;
    this.#holders.set(id, { merchantId, since: now });
    this.#count(merchantId, 1);
    if (this.isUnresponsive(merchantId)) this.#turns.set(merchantId, ++this.#turnsCount);
    return true;
  }

  has(id: Id<'dlv'>): boolean {
    return this.#holders.has(id);
  }

  release(id: Id<'dlv'>): void {
    const holder = this.#holders.get(id);
    if (holder === undefined) return;
    this.#holders.delete(id);
    this.#count(holder.merchantId, -1);
  }

  /** Whether this merchant's endpoint hangs. */
  isUnresponsive(merchantId: Id<'mer'>): boolean {
    return this.#healthOf(merchantId) === 'unresponsive';
  }

  /** Records the endpoint's health after an attempt; a late success makes it unknown. */
  recordHealth(merchantId: Id<'mer'>, { durationMs, endedAt, error }: EndedAttempt): void {
    const succeeded = error === null;
    const isTimely = durationMs <= RESPONSIVE_MAX_MS;
    if (!succeeded) remember(this.#failedAt, merchantId, endedAt);
    else if (isTimely) remember(this.#succeededAt, merchantId, endedAt);
    const failedAt = this.#failedAt.get(merchantId) ?? Number.NEGATIVE_INFINITY;
    // The clock may have been set back in between.
    const isSteady = succeeded && Math.abs(endedAt - failedAt) > NOT_PROMPT_MS;
    if (durationMs <= PROMPT_MAX_MS && isSteady) this.#setHealth(merchantId, 'prompt');
    else if (isTimely) this.#setHealth(merchantId, 'responsive');
    else if (succeeded) this.#setHealth(merchantId, 'unknown');
    else this.#recordHang(merchantId, endedAt - durationMs, endedAt);
  }

  /** Records overdue attempts before they time out. */
  markOverdue(now: number): void {
    for (const { merchantId, since } of this.#holders.values()) {
      if (now - since <= RESPONSIVE_MAX_MS) return;
      this.#recordHang(merchantId, since, now);
    }
  }

  /**
   * Makes the health unknown if the endpoint has answered another attempt in time between `since` and `now`, otherwise unresponsive.
   * A later answer was dated before the clock was set back.
   */
  #recordHang(merchantId: Id<'mer'>, since: number, now: number): void {
    const succeededAt = this.#succeededAt.get(merchantId) ?? Number.NEGATIVE_INFINITY;
    this.#setHealth(merchantId, succeededAt < since || succeededAt > now ? 'unresponsive' : 'unknown');
  }

  #limitOf(health: Health, held: number): number {
    const { inFlightMax, perMerchantMax } = this.#limits;
    if (health !== 'prompt') return perMerchantMax;
    // Other merchants keep half of the slots, so that many prompt endpoints may hang at once.
    const more = Math.max(0, this.free + held - inFlightMax / 2) * SHARE_OF_FREE;
    return perMerchantMax + Math.floor(Math.min(more, perMerchantMax * (PROMPT_FACTOR - 1)));
  }

  #poolOf(health: Health): number {
    return Math.max(1, this.#limits.perMerchantMax * POOLS[health]);
  }

  #healthOf(merchantId: Id<'mer'>): Health {
    return this.#health.get(merchantId) ?? 'unknown';
  }

  #setHealth(merchantId: Id<'mer'>, health: Health): void {
    const before = this.#healthOf(merchantId);
    if (health === before) return;
    const held = this.#heldOf.get(merchantId) ?? 0;
    this.#heldBy[before] -= held;
    this.#heldBy[health] += held;
    this.#health.delete(merchantId);
    if (health !== 'unknown') this.#health.set(merchantId, health);
    if (health === 'unresponsive') this.#turns.set(merchantId, ++this.#turnsCount);
    else this.#turns.delete(merchantId);
    const [oldest] = this.#health.keys();
    if (this.#health.size > REMEMBERED_MAX && oldest !== undefined) this.#setHealth(oldest, 'unknown');
  }

  #count(merchantId: Id<'mer'>, change: 1 | -1): void {
    const held = (this.#heldOf.get(merchantId) ?? 0) + change;
    if (held > 0) this.#heldOf.set(merchantId, held);
    else this.#heldOf.delete(merchantId);
    this.#heldBy[this.#healthOf(merchantId)] += change;
  }
}

function remember(times: Map<Id<'mer'>, number>, merchantId: Id<'mer'>, at: number): void {
  times.delete(merchantId);
  times.set(merchantId, at);
  const [oldest] = times.keys();
  if (times.size > REMEMBERED_MAX && oldest !== undefined) times.delete(oldest);
}
