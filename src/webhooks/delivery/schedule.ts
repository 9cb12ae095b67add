/**
 * When an event is sent. The waits run from the end of the failed attempt. They are kept in the delivery's row and
 * timed by the injected clock, not by p-retry: a retry that lives in a closure dies with the process.
 */
const ATTEMPT_DELAYS_MS = [0, 200, 1000, 5000] as const;

/** Attempts with a known outcome that a delivery gets. */
export const ATTEMPTS_MAX = ATTEMPT_DELAYS_MS.length;

/** Requests that may leave for one delivery: an attempt cut by a crash goes out once more, but only one more in all. */
export const SENDS_MAX = ATTEMPTS_MAX + 1;

/** For the whole exchange, from the name look-up to the last byte of the answer. */
export const ATTEMPT_TIMEOUT_MS = 8000;

/**
 * When the next attempt is due after one that failed and ended at `endedAt`; null when it was the last. `sent`
 * counts every request that left, this one included; `cut` those of them whose outcome was lost in a crash.
 */
export function nextAttemptAt(sent: number, cut: number, endedAt: number): number | null {
  const delayMs = sent < SENDS_MAX ? ATTEMPT_DELAYS_MS[sent - cut] : undefined;
  return delayMs === undefined ? null : endedAt + delayMs;
}
