import type { Clock } from './clock.ts';

/** Work that repeats from start() to stop(). Runs never overlap. */
export interface PeriodicJob {
  start(): void;
  /** Runs the job now. A wake during a run causes one more run right after it; a wake before start() does nothing. */
  wake(): void;
  /** Starts no further run and waits for the current run. */
  stop(): Promise<void>;
}

export interface PeriodicJobOptions {
  clock: Pick<Clock, 'after'>;
  /** One run. Resolves to the milliseconds until the next one. A long run ends early when `isStopping()` is true. */
  run: (isStopping: () => boolean) => Promise<number>;
  /** The delay of the first run after start(); by default it begins in start(). */
  firstAfterMs?: number;
  /** Handles a run that rejects; the next one is due after `retryAfterMs`. */
  onError: (error: unknown) => void;
  retryAfterMs?: number;
}

export function createPeriodicJob(options: PeriodicJobOptions): PeriodicJob {
  const { clock, run, firstAfterMs, onError, retryAfterMs = 5000 } = options;
  let started = false;
  let stopping = false;
  let running = false;
  let wakeRequested = false;
  let cancelTimer = () => {};
  let cycle: Promise<void> = Promise.resolve();

  function begin(): void {
    running = true;
    cancelTimer();
    cycle = runWhileRequested();
  }

  async function runWhileRequested(): Promise<void> {
    let delayMs: number;
    do {
      wakeRequested = false;
      delayMs = await runOnce();
    } while (wakeRequested && !stopping);
    running = false;
    if (!stopping) cancelTimer = clock.after(delayMs, begin);
  }

  async function runOnce(): Promise<number> {
    try {
      return await run(() => stopping);
    } catch (error) {
      onError(error);
      return retryAfterMs;
    }
  }

  return {
    start() {
      started = true;
      if (firstAfterMs === undefined) begin();
      else cancelTimer = clock.after(firstAfterMs, begin);
    },
    wake() {
      if (!started || stopping) return;
      if (running) wakeRequested = true;
      else begin();
    },
    async stop() {
      stopping = true;
      cancelTimer();
      await cycle;
    },
  };
}
