import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { hasPendingQueries, queriesAnswered } from './queries.ts';
import { until } from './until.ts';

/** A clock that only a test moves. Its timers run in the order of their instants. */
export interface FakeClock extends Clock {
  /** Moves on by `ms`; runs each timer that falls due and waits for its work before the next. */
  advance(ms: number): Promise<void>;
  /**
   * Moves on by `ms` at once, as after a sleep of the machine: every due timer runs once, late. A negative value sets
   * the clock back and delays no timer.
   */
  jump(ms: number): Promise<void>;
  /** Advances in steps of `stepMs` until `probe` returns a truthy value. Resolves to that value. */
  advanceUntil<T>(stepMs: number, probe: () => T | Promise<T>, what?: string): Promise<NonNullable<T>>;
}

export function fakeClock(startAt = Date.UTC(2026, 0, 15, 12, 0, 0)): FakeClock {
  let now = startAt;
  let nextId = 0;
  const timers = new Map<number, { at: number; task: () => void }>();

  const clock: FakeClock = {
    now: () => now,
    after(delayMs, task) {
      const id = nextId++;
      timers.set(id, { at: now + Math.max(0, delayMs), task });
      return () => timers.delete(id);
    },
    timeout: (delayMs, task) => clock.after(delayMs, task),
    deadline(delayMs) {
      const controller = new AbortController();
      clock.after(delayMs, () =>
        controller.abort(new DOMException('The operation timed out', 'TimeoutError')),
      );
      return controller.signal;
    },
    async advance(ms) {
      const target = now + ms;
      for (;;) {
        await settle();
        const due = [...timers]
          .filter(([, timer]) => timer.at <= target)
          .sort((a, b) => a[1].at - b[1].at || a[0] - b[0]);
        const [id, timer] = due[0] ?? [];
        if (id === undefined || timer === undefined) break;
        timers.delete(id);
        now = Math.max(now, timer.at);
        timer.task();
      }
      now = target;
      await settle();
    },
    async jump(ms) {
      now += ms;
      if (ms < 0) for (const timer of timers.values()) timer.at += ms;
      await clock.advance(0);
    },
    advanceUntil: (stepMs, probe, what) =>
      until(async () => {
        await clock.advance(stepMs);
        return await probe();
      }, what),
  };
  return clock;
}

const QUICK = 5;

/** A clock that runs five times as fast as the system's, for waits that no test can shorten. Network time-outs keep their length. */
export function quickClock(): Clock {
  const startedAt = Date.now();
  return {
    ...systemClock,
    now: () => startedAt + (Date.now() - startedAt) * QUICK,
    after: (delayMs, task) => systemClock.after(delayMs / QUICK, task),
  };
}

const QUIET_TURNS = 5;
/** The longest wait for a query; a test may hold the lock that it waits for. */
const ANSWER_MAX_MS = 2000;

/** Waits for a few turns of the event loop without a pending query. */
async function settle(): Promise<void> {
  for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (!hasPendingQueries()) continue;
    if (!(await queriesAnswered(ANSWER_MAX_MS))) return;
    quiet = -1;
  }
}
