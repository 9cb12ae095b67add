import type { Clock } from '../../src/kernel/clock.ts';
import type { Prng } from './prng.ts';
import type { Service } from './service.ts';
import type { World } from './world.ts';

interface Timer {
  at: number;
  /** Orders timers of the same instant; random, so that seeds try different orders. */
  order: number;
  idle: boolean;
  /** Timers of a dead process never fire, those of a frozen one fire late; null for the outside world. */
  owner: Service | null;
  task: () => void;
}

/** A shorter timer of the service polls the database, whose next due row is known. */
const IDLE_MAX_MS = 60_000;

/** Simulated time and everything scheduled in it. */
export class SimTime {
  /** UTC milliseconds. */
  now: number;
  readonly #prng: Prng;
  #timers: Timer[] = [];

  constructor(startAt: number, prng: Prng) {
    this.now = startAt;
    this.#prng = prng;
  }

  /** Returns a function that cancels the timer. */
  schedule(delayMs: number, task: () => void, owner: Service | null = null, idle = false): () => void {
    const at = this.now + Math.max(0, delayMs);
    const timer: Timer = { at, order: this.#prng.word(), idle, owner, task };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((known) => known !== timer);
    };
  }

  /** Returns when the next timer fires, or Infinity; ignores idle timers unless `withIdle`. */
  nextAt(withIdle: boolean): number {
    return Math.min(...this.#timers.filter(({ idle }) => withIdle || !idle).map(goesOffAt));
  }

  /** Removes and returns the first due timer's task; ignores idle timers unless `withIdle`. */
  takeDue(withIdle: boolean): (() => void) | undefined {
    const due = this.#timers.filter((timer) => goesOffAt(timer) <= this.now && (withIdle || !timer.idle));
    const [first] = due.sort((a, b) => a.at - b.at || a.order - b.order);
    this.#timers = this.#timers.filter((timer) => timer !== first);
    return first?.task;
  }

  hasWorldEvents(): boolean {
    return this.#timers.some((timer) => timer.owner === null);
  }

  forget(owner: Service): void {
    this.#timers = this.#timers.filter((timer) => timer.owner !== owner);
  }
}

function goesOffAt(timer: Timer): number {
  return timer.owner === null ? timer.at : Math.max(timer.at, timer.owner.frozenUntil);
}

/** The service's clock, which may be wrong and may jump. Its timers run on simulated time. */
export function processClock(world: World, service: Service): Clock {
  const after = (delayMs: number, task: () => void, idle: boolean) => {
    if (service.dead) return () => {};
    const fire = () => {
      if (!service.crashes('timer')) task();
    };
    return world.time.schedule(Math.round(delayMs), fire, service, idle);
  };
  return {
    now: () => world.serviceNow(),
    after: (delayMs, task) => after(delayMs, task, delayMs <= IDLE_MAX_MS),
    timeout: (delayMs, task) => after(delayMs, task, false),
    deadline(delayMs) {
      const controller = new AbortController();
      after(delayMs, () => controller.abort(new DOMException('timed out', 'TimeoutError')), false);
      return controller.signal;
    },
  };
}
