import type { Clock } from '../../src/kernel/clock.ts';
import type { Prng } from './prng.ts';

/** Whoever a timer belongs to: the dead never wake, the frozen wake late. */
export interface Owner {
  readonly dead: boolean;
  /** True time until which the whole process stands still. */
  readonly frozenUntil: number;
}

interface Timer {
  at: number;
  /** Decides between timers of one instant; drawn, so that seeds try different orders. */
  order: number;
  idle: boolean;
  owner: Owner | null;
  task: () => void;
}

/** A timer of the service that is due in so little time is a look at the database: its work is known by when it falls due. */
const IDLE_MAX_MS = 60_000;

/** True time, and everything that is planned in it. Nothing here knows the real clock. */
export class SimTime {
  /** UTC milliseconds. */
  now: number;
  readonly #prng: Prng;
  #timers: Timer[] = [];

  constructor(startAt: number, prng: Prng) {
    this.now = startAt;
    this.#prng = prng;
  }

  schedule(
    delayMs: number,
    task: () => void,
    options: { owner?: Owner | null; idle?: boolean } = {},
  ): () => void {
    const timer: Timer = {
      at: this.now + Math.max(0, delayMs),
      order: this.#prng.word(),
      idle: options.idle ?? false,
      owner: options.owner ?? null,
      task,
    };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((known) => known !== timer);
    };
  }

  /** When the next timer goes off; without the idle ones unless `withIdle`. Infinity when there is none. */
  nextAt(withIdle: boolean): number {
    let next = Number.POSITIVE_INFINITY;
    for (const timer of this.#timers) {
      if (withIdle || !timer.idle) next = Math.min(next, goesOffAt(timer));
    }
    return next;
  }

  /** Takes out the first timer that is due; undefined when none is. Idle ones are left for later unless `withIdle`. */
  takeDue(withIdle: boolean): (() => void) | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (goesOffAt(timer) > this.now || (timer.idle && !withIdle)) continue;
      if (
        first === undefined ||
        timer.at < first.at ||
        (timer.at === first.at && timer.order < first.order)
      ) {
        first = timer;
      }
    }
    if (first === undefined) return undefined;
    this.#timers.splice(this.#timers.indexOf(first), 1);
    return first.task;
  }

  /** Whether the world (not the service) has something planned. */
  hasWorldEvents(): boolean {
    return this.#timers.some((timer) => timer.owner === null);
  }

  forget(owner: Owner): void {
    this.#timers = this.#timers.filter((timer) => timer.owner !== owner);
  }
}

function goesOffAt(timer: Timer): number {
  return timer.owner === null ? timer.at : Math.max(timer.at, timer.owner.frozenUntil);
}

/** The clock on the service's wall, which may be wrong and may jump. Its timers run on true time, as an engine's do. */
export function processClock(
  time: SimTime,
  owner: Owner,
  options: { skewMs: () => number; mayFire: () => boolean },
): Clock {
  const after = (delayMs: number, task: () => void, idle: boolean) => {
    if (owner.dead) return () => {};
    const fire = () => {
      if (options.mayFire()) task();
    };
    return time.schedule(Math.round(delayMs), fire, { owner, idle });
  };
  return {
    now: () => time.now + options.skewMs(),
    after: (delayMs, task) => after(delayMs, task, delayMs <= IDLE_MAX_MS),
    timeout: (delayMs, task) => after(delayMs, task, false),
    deadline(delayMs) {
      const controller = new AbortController();
      after(delayMs, () => controller.abort(new DOMException('timed out', 'TimeoutError')), false);
      return controller.signal;
    },
  };
}
