/** The delays before the four attempts, each counted from the end of the previous failed attempt. */
export const ATTEMPT_DELAYS_MS = [0, 200, 1000, 5000] as const;

/** The longest wait before a retry. */
export const RETRY_WAIT_MS_MAX = Math.max(...ATTEMPT_DELAYS_MS);

/** The most requests for one delivery: one attempt that a crash interrupted is repeated. */
export const SENDS_MAX = ATTEMPT_DELAYS_MS.length + 1;

/** The deadline of an attempt, from the name lookup to the last byte of the response. */
export const ATTEMPT_TIMEOUT_MS = 8000;

/** How long a claim excludes other processes: the deadline of an attempt plus time to record its outcome. */
export const LEASE_MS = ATTEMPT_TIMEOUT_MS + 12_000;

/**
 * Returns when the next attempt is due after an attempt that failed at `endedAt`; null after the last one. `sent` counts every
 * request, this one included; `interrupted` counts those whose outcome a crash lost.
 */
export function nextAttemptAt(sent: number, interrupted: number, endedAt: number): number | null {
  const delayMs = sent < SENDS_MAX ? ATTEMPT_DELAYS_MS[sent - interrupted] : undefined;
  return delayMs === undefined ? null : endedAt + delayMs;
}
