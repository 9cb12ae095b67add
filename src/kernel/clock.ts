export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
/** 24 hours; a day of Lisbon can have 23 or 25. */
export const DAY_MS = 24 * HOUR_MS;

/** The tolerated difference between the processes' clocks. A stored time further in the future is from before the clock was set back. */
export const CLOCK_DIFFERENCE_MS_MAX = 5000;

/** The service's time, injected so that tests control it. Instants are UTC milliseconds since 1970. */
export interface Clock {
  /** Now, in UTC milliseconds. */
  now(): number;
  /** Runs `task` once after `delayMs`. The returned function cancels it. Timers never keep the process alive. */
  after(delayMs: number, task: () => void): () => void;
  /** A signal that aborts with a TimeoutError after `delayMs`, and after what arrived while the process was paused. */
  deadline(delayMs: number): AbortSignal;
  /** The same deadline as a call of `task` that can be cancelled. */
  timeout(delayMs: number, task: () => void): () => void;
  /** Synchronises this clock with the database server's now. Absent on a clock that is not synchronised. */
  correct?(): Promise<void>;
}

/** The API's format of an instant, `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export function isoInstant(instant: number): string {
  return new Date(instant).toISOString();
}

const TIMER_MAX_MS = 2 ** 31 - 1;

function after(delayMs: number, task: () => void): () => void {
  const timer = setTimeout(task, Math.min(Math.max(delayMs, 0), TIMER_MAX_MS));
  timer.unref();
  return () => clearTimeout(timer);
}

/** What arrived before the deadline is read first: a process that was paused finds its timers and its sockets due together. */
function timeout(delayMs: number, task: () => void): () => void {
  let reading: NodeJS.Immediate | undefined;
  const cancel = after(delayMs, () => {
    reading = setImmediate(task);
  });
  return () => {
    cancel();
    clearImmediate(reading);
  };
}

function deadline(delayMs: number): AbortSignal {
  const ending = new AbortController();
  timeout(delayMs, () => ending.abort(new DOMException('The operation timed out', 'TimeoutError')));
  return ending.signal;
}

export const systemClock: Clock = { now: () => Date.now(), after, timeout, deadline };
