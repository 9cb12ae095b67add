import type { Clock } from '../../src/kernel/clock.ts';
import { queriesUnderWay } from './queries.ts';

/** A clock that moves only when a test says so. Timers run in the order of their instants as it passes them. */
export interface FakeClock extends Clock {
  /** Moves on by `ms`, running what falls due on the way and letting each timer's work settle before the next. */
  advance(ms: number): Promise<void>;
  /**
   * Moves on by `ms` at once, as a machine that slept does: every timer that fell due runs once, late. Below 0 the clock is set back, which
   * no timer notices.
   */
  jump(ms: number): Promise<void>;
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
  };
  return clock;
}

const QUIET_TURNS = 5;
/** A test may hold a lock that a query waits for: then the clock goes on without its answer. */
const ANSWER_MAX_MS = 2000;

/** Lets promises, immediates and local sockets run, a few turns of the event loop without a query on its way. */
async function settle(): Promise<void> {
  const end = Date.now() + ANSWER_MAX_MS;
  for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (queriesUnderWay() > 0 && Date.now() < end) quiet = -1;
  }
}
