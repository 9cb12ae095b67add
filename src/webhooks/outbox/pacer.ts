import type { Clock } from '../../kernel/clock.ts';

/**
 * Spaces out the beginnings of attempts that will probably hang. Each costs a TLS handshake, more than a millisecond of
 * the one thread, and those that began together end together 8 s later and begin anew together: unpaced, 62 of them were a
 * wave every 8 s that doubled the p99 of a healthy merchant. Bounded by the slots of those who wait.
 */
export class Pacer {
  readonly #clock: Clock;
  readonly #gapMs: number;
  readonly #waiting = new Map<() => void, () => void>();
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, gapMs: number) {
    this.#clock = clock;
    this.#gapMs = gapMs;
  }

  /** Resolves when the caller may begin: at once, or one gap after the one before. */
  async turn(): Promise<void> {
    const now = this.#clock.now();
    // Ahead of the clock with nobody waiting: the clock was set back, and that time is no measure any more.
    if (this.#waiting.size === 0 && this.#lastAt > now) this.#lastAt = Number.NEGATIVE_INFINITY;
    this.#lastAt = Math.max(now, this.#lastAt + this.#gapMs);
    const delayMs = this.#lastAt - now;
    if (delayMs === 0) return;
    await new Promise<void>((resolve) => {
      const go = () => {
        this.#waiting.delete(go);
        resolve();
      };
      this.#waiting.set(go, this.#clock.after(delayMs, go));
    });
  }

  /** Lets everybody begin who waits. */
  release(): void {
    for (const [go, cancel] of this.#waiting) {
      cancel();
      go();
    }
  }
}
