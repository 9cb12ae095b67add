import type { Clock } from '../../../src/kernel/clock.ts';

/** A clock that moves by jumps. Timers fire once each, in their order, and everything they start comes to rest in between. */
export class ModelClock implements Clock {
  #now = Date.UTC(2026, 2, 27, 12, 0, 0);
  #nextId = 0;
  #timers = new Map<number, { at: number; task: () => void }>();

  now(): number {
    return this.#now;
  }

  after(delayMs: number, task: () => void): () => void {
    const id = this.#nextId++;
    this.#timers.set(id, { at: this.#now + Math.max(0, delayMs), task });
    return () => this.#timers.delete(id);
  }

  timeout(delayMs: number, task: () => void): () => void {
    return this.after(delayMs, task);
  }

  deadline(delayMs: number): AbortSignal {
    const controller = new AbortController();
    this.after(delayMs, () => controller.abort(new DOMException('timed out', 'TimeoutError')));
    return controller.signal;
  }

  /** Time passes for a machine that slept: what fell due meanwhile runs now. */
  async jump(ms: number, rest: () => Promise<void>): Promise<void> {
    this.#now += ms;
    for (;;) {
      await rest();
      const [next] = [...this.#timers]
        .filter(([, timer]) => timer.at <= this.#now)
        .sort((a, b) => a[1].at - b[1].at || a[0] - b[0]);
      if (next === undefined) return;
      this.#timers.delete(next[0]);
      next[1].task();
    }
  }

  /** The time of day is put right; what was to run in a while still runs in that while. */
  setBack(ms: number): void {
    this.#now -= ms;
    for (const timer of this.#timers.values()) timer.at -= ms;
  }

  /** A process died: none of its timers fires any more. */
  forget(): void {
    this.#timers.clear();
  }
}
