import type { Deps } from '../../deps.ts';
import { errorText } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { LEASE_MS } from './claim.ts';
import { ATTEMPT_TIMEOUT_MS } from './schedule.ts';
import { extendClaims } from './store.ts';

/** How often the claims in flight are looked over. */
const BEAT_MS = 3000;
/** A claim is extended when less is left of it than after an attempt of ordinary length: time for several beats. */
const LEFT_MS = LEASE_MS - ATTEMPT_TIMEOUT_MS - 1000;

/** A claim whose attempt runs, or whose outcome is not written yet. */
interface Held {
  token: string;
  until: number;
}

/**
 * Keeps the claims of attempts in flight from lapsing. An attempt ends after 8 s at most and its lease lasts 20 s,
 * so on a good day nothing is ever extended and a beat costs nothing. It matters when an attempt's end is late: the process
 * was stalled and its timers with it, or the database is slow to take the outcome. The lapsed claim would then
 * stand among the due ones and hide others at the head of the queue, and on PostgreSQL, where several processes send, a neighbour
 * would send the delivery a second time. Bounded by the attempts in flight.
 */
export class Heartbeat {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log'>;
  readonly #held = new Map<Id<'dlv'>, Held>();
  #cancelTimer: (() => void) | null = null;
  #beating: Promise<void> | null = null;

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'log'>) {
    this.#deps = deps;
  }

  /** A claim begins: keep it until `give`. */
  take(id: Id<'dlv'>, token: string, claimedAt: number): void {
    this.#held.set(id, { token, until: claimedAt + LEASE_MS });
    this.#cancelTimer ??= this.#deps.clock.after(BEAT_MS, () => this.#beat());
  }

  /** Whether this delivery's attempt runs, or its outcome is not written yet. */
  has(id: Id<'dlv'>): boolean {
    return this.#held.has(id);
  }

  /** The claim is done with, whatever became of it. */
  give(id: Id<'dlv'>): void {
    this.#held.delete(id);
  }

  /** Extends nothing more. Resolves when nothing is being written. */
  async stop(): Promise<void> {
    this.#held.clear();
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    await this.#beating;
  }

  #beat(): void {
    this.#cancelTimer = null;
    this.#beating = this.#extend()
      .catch((error: unknown) => {
        this.#deps.log.error(
          { detail: errorText(error) },
          'claims of attempts in flight could not be extended',
        );
      })
      .then(() => {
        this.#beating = null;
        if (this.#held.size > 0) this.#cancelTimer ??= this.#deps.clock.after(BEAT_MS, () => this.#beat());
      });
  }

  async #extend(): Promise<void> {
    const { db, clock } = this.#deps;
    const soon = clock.now() + LEFT_MS;
    const ending = [...this.#held].filter(([, held]) => held.until < soon);
    if (ending.length === 0) return;
    const until = clock.now() + LEASE_MS;
    const byToken = Map.groupBy(ending, ([, held]) => held.token);
    await db.unit(async (tx) => {
      for (const [token, claims] of byToken) {
        await extendClaims(
          tx,
          claims.map(([id]) => id),
          token,
          until,
        );
      }
    });
    for (const [, held] of ending) held.until = until;
  }
}
