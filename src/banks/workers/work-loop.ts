import type { Logger } from 'pino';
import type { Clock } from '../../kernel/clock.ts';
import { errorText } from '../../kernel/errors.ts';
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
  const pieces = new Pieces(options, (left) => {
    if (left === 0 || (full && left <= concurrencyMax / 2)) wake();
  });
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
    full = false;
    for (const work of due) {
      if (stopped || !pieces.mayStart(work.key)) continue;
      if (pieces.size >= concurrencyMax) {
        full = true;
        return IDLE_MAX_MS;
      }
      if (options.pace !== undefined && !options.pace.take()) return Math.max(1, options.pace.waitMs());
      pieces.start(work);
    }
    return delayUntil(await options.nextAt(), clock.now());
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
      await pieces.ended();
    },
  };
}

function delayUntil(nextAt: number | null, now: number): number {
  if (nextAt === null) return IDLE_MAX_MS;
  // Still due: it runs, it rests, or it did not fit into one look.
  return nextAt > now ? nextAt - now : RELOOK_MS;
}

/** The pieces that run, none twice at once, and those that failed and are left alone for a while. */
class Pieces {
  readonly #options: Pick<WorkLoopOptions, 'clock' | 'log' | 'name'>;
  readonly #onEnd: (left: number) => void;
  readonly #running = new Map<string, Promise<void>>();
  readonly #restingUntil = new Map<string, number>();

  /** `onEnd` is told how many still run. */
  constructor(options: Pick<WorkLoopOptions, 'clock' | 'log' | 'name'>, onEnd: (left: number) => void) {
    this.#options = options;
    this.#onEnd = onEnd;
  }

  get size(): number {
    return this.#running.size;
  }

  mayStart(key: string): boolean {
    if (this.#running.has(key)) return false;
    const until = this.#restingUntil.get(key) ?? 0;
    return until <= this.#options.clock.now();
  }

  start(work: Work): void {
    const { clock, log, name } = this.#options;
    this.#forgetRested();
    const done = work
      .run()
      .catch((error: unknown) => {
        log.error({ loop: name, key: work.key, detail: errorText(error) }, 'work of the bank desk failed');
        this.#restingUntil.set(work.key, clock.now() + REST_MS);
      })
      .then(() => {
        this.#running.delete(work.key);
        this.#onEnd(this.#running.size);
      });
    this.#running.set(work.key, done);
  }

  #forgetRested(): void {
    const now = this.#options.clock.now();
    for (const [key, until] of this.#restingUntil) if (until <= now) this.#restingUntil.delete(key);
  }

  async ended(): Promise<void> {
    await Promise.all(this.#running.values());
  }
}
