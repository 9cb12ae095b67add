import type { Clock } from './clock.ts';

const KEPT_MS = 300_000;
/** While the process stops. */
const KEPT_STOPPING_MS = 4000;
const RETRY_MS = 1000;

/**
 * Tries a write for five minutes, because what it records has already happened outside; for seconds once `isStopping()` is true.
 * `onError` is called for each failure.
 */
export async function retryWrite<T>(
  clock: Pick<Clock, 'after'>,
  isStopping: () => boolean,
  write: () => Promise<T>,
  onError: (error: unknown) => void,
): Promise<T> {
  // Timers, because the clock can be set during the retries.
  const passed = new Set<number>();
  const cancels = [KEPT_STOPPING_MS, KEPT_MS].map((ms) => clock.after(ms, () => passed.add(ms)));
  try {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        onError(error);
        if (passed.has(isStopping() ? KEPT_STOPPING_MS : KEPT_MS)) throw error;
        await new Promise<void>((resolve) => clock.after(RETRY_MS, resolve));
      }
    }
  } finally {
    for (const cancel of cancels) cancel();
  }
}
