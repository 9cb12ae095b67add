import type { Clock } from '../../kernel/clock.ts';

/** One in so many of those who wait goes at a time: a hundred wait a third of a second, a thousand less than one. */
const ROWS = 50;

/**
 * Spaces out what happens together and would hold up everybody else. Attempts that will probably hang each cost a TLS handshake, more
 * than a millisecond of the one thread, and those that began together end together 8 s later and begin anew together: unpaced,
 * 62 of them were a wave every 8 s that doubled the p99 of a healthy merchant. Bounded by the slots of those who wait.
 */
export class Pacer {
  readonly #clock: Clock;
  readonly #gapMs: number;
  #waiting: (() => void)[] = [];
  /** Ends the gap that began with the last who went; null when it is over. A timer's, so that no setting of the clock prolongs it. */
  #cancelGap: (() => void) | null = null;

  constructor(clock: Clock, gapMs: number) {
    this.#clock = clock;
    this.#gapMs = gapMs;
  }

  /** Resolves when the caller may go on: at once, or one gap after the one before. */
  async turn(): Promise<void> {
    if (this.#cancelGap === null) this.#beginGap();
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Lets everybody go on who waits. */
  release(): void {
    this.#cancelGap?.();
    this.#cancelGap = null;
    for (const go of this.#waiting.splice(0)) go();
  }

  #beginGap(): void {
    // Part of an exchange with the outside, which goes on whether or not anything is looked for.
    this.#cancelGap = this.#clock.timeout(this.#gapMs, () => this.#endGap());
  }

  #endGap(): void {
    this.#cancelGap = null;
    if (this.#waiting.length === 0) return;
    this.#beginGap();
    for (const go of this.#waiting.splice(0, Math.ceil(this.#waiting.length / ROWS))) go();
  }
}
