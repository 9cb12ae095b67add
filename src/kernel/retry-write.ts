import type { Clock } from './clock.ts';

const TRIES_MAX = 300;
/** While the process stops. */
const LAST_TRIES_MAX = 5;
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
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      onError(error);
      if (tries >= (isStopping() ? LAST_TRIES_MAX : TRIES_MAX)) throw error;
      await new Promise<void>((resolve) => clock.after(RETRY_MS, resolve));
    }
  }
}
