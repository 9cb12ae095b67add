import { BackofficeError, type Reason } from './errors.ts';

export type Limit = ReturnType<typeof createLimit>;

/** Limits concurrent work for each key: `max` run, and up to `waitingMax` wait. `refusal` describes the error for others. */
export function createLimit(max: number, waitingMax: number, refusal: { sentence: string; reason?: Reason }) {
  /** By key; a key without running work has no entry. */
  const keys = new Map<string, { running: number; starts: (() => void)[] }>();

  function release(key: string): void {
    const own = keys.get(key);
    const start = own?.starts.shift();
    // Lets other requests run first: calls on SQLite do not yield, so a queue of them would block the thread.
    if (start !== undefined) setImmediate(start);
    else if (own !== undefined && --own.running === 0) keys.delete(key);
  }

  return {
    /**
     * Runs the work as soon as the limit allows it, in the order of arrival. Throws TOO_MANY_REQUESTS when too much work waits, or
     * when it would have to wait although `mayWait` is false.
     */
    async run<Result>(key: string, work: () => Promise<Result>, mayWait = true): Promise<Result> {
      const own = keys.get(key) ?? { running: 0, starts: [] };
      keys.set(key, own);
      if (own.running >= max && own.starts.length >= (mayWait ? waitingMax : 0)) {
        throw new BackofficeError('TOO_MANY_REQUESTS', refusal.sentence, refusal);
      }
      if (own.running < max) own.running += 1;
      else await new Promise<void>((resolve) => own.starts.push(resolve));
      try {
        return await work();
      } finally {
        release(key);
      }
    },
  };
}
