import type { Logger } from 'pino';
import type { Clock } from '../kernel/clock.ts';
import { errorText } from '../kernel/errors.ts';
import type { TokenBucket } from './token-bucket.ts';

/** One piece of work. `key` keeps it from running twice at once. */
interface Work {
  key: string;
  run(): Promise<void>;
}

export interface WorkLoopOptions {
  name: string;
  clock: Clock;
  log: Logger;
  /** Pieces that run at the same time. */
  concurrencyMax: number;
  /** What is due now, the most urgent first, at most `limit`; may name pieces that run already. */
  due(limit: number): Promise<Work[]>;
  /** When the next piece falls due; null when none is planned. */
  nextAt(): Promise<number | null>;
  pace?: TokenBucket;
}

export interface WorkLoop {
  start(): void;
  /** Look now. Cheap; calls that come together cost one look. */
  wake(): void;
  /** Starts nothing more and waits for what runs. */
  stop(): Promise<void>;
}

/** Work that another process planned is found after so long at the latest. */
const IDLE_MAX_MS = 60_000;
/** How soon to look again while something due is still being done. */
const RELOOK_MS = 200;
/** How long a piece that failed unexpectedly, or a failing look itself, is left alone. */
const REST_MS = 5000;

/**
 * Does what is due as it falls due: pieces side by side, none twice at once, each looked up anew so that the most
 * urgent comes first. A failure is logged and never ends the loop.
 */
export function createWorkLoop(options: WorkLoopOptions): WorkLoop {
  const { clock, log, name, concurrencyMax } = options;
  const running = new Map<string, Promise<void>>();
  const restingUntil = new Map<string, number>();
  let started = false;
  let stopped = false;
  let full = false;
  let wakeAsked = false;
  let looking: Promise<void> | null = null;
  let cancelTimer = () => {};

  function wake(): void {
    wakeAsked = true;
    if (!started || stopped || looking !== null) return;
    cancelTimer();
    looking = keepLooking().finally(() => {
      looking = null;
      // A wake between the last check and here must not be lost.
      if (wakeAsked) wake();
    });
  }

  async function keepLooking(): Promise<void> {
    let delayMs = 0;
    while (wakeAsked && !stopped) {
      wakeAsked = false;
      try {
        delayMs = await look();
      } catch (error) {
        log.error({ loop: name, detail: errorText(error) }, 'the bank desk could not look for its work');
        delayMs = REST_MS;
      }
      if (delayMs === 0) wakeAsked = true;
    }
    if (!stopped) cancelTimer = clock.after(Math.min(delayMs, IDLE_MAX_MS), wake);
  }

  /** Starts what may start; resolves to the milliseconds until the next look. */
  async function look(): Promise<number> {
    const limit = concurrencyMax * 2;
    const due = await options.due(limit);
    forgetRested();
    full = false;
    for (const work of due) {
      if (stopped || running.has(work.key) || restingUntil.has(work.key)) continue;
      if (running.size >= concurrencyMax) {
        full = true;
        return IDLE_MAX_MS;
      }
      if (options.pace !== undefined && !options.pace.take()) return Math.max(1, options.pace.waitMs());
      start(work);
    }
    const nextAt = await options.nextAt();
    if (nextAt === null) return IDLE_MAX_MS;
    const delayMs = nextAt - clock.now();
    // Still due: it runs, it rests, or it did not fit into one look.
    return delayMs > 0 ? delayMs : RELOOK_MS;
  }

  function start(work: Work): void {
    const done = work
      .run()
      .catch((error: unknown) => {
        log.error({ loop: name, key: work.key, detail: errorText(error) }, 'work of the bank desk failed');
        restingUntil.set(work.key, clock.now() + REST_MS);
      })
      .then(() => {
        running.delete(work.key);
        if (running.size === 0 || (full && running.size <= concurrencyMax / 2)) wake();
      });
    running.set(work.key, done);
  }

  function forgetRested(): void {
    const now = clock.now();
    for (const [key, until] of restingUntil) if (until <= now) restingUntil.delete(key);
  }

  return {
    start() {
      started = true;
      wake();
    },
    wake,
    async stop() {
      stopped = true;
      cancelTimer();
      await looking;
      await Promise.all(running.values());
    },
  };
}
