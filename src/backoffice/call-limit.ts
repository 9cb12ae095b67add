import { BackofficeError } from './errors.ts';

/** The maximum number of waiting calls of a person; each keeps the received part of its body in memory. */
const WAITING_MAX = 250;

/** Limits the concurrent calls of each person. */
export interface CallLimit {
  /**
   * Runs a call as soon as the limit allows it, in the order of arrival. Throws TOO_MANY_REQUESTS when too many wait, or when the
   * call would have to wait although `mayWait` is false.
   */
  run<Result>(personId: string, call: () => Promise<Result>, mayWait?: boolean): Promise<Result>;
}

export function createCallLimit(max: number): CallLimit {
  /** By person; a person without a running call has no entry. */
  const people = new Map<string, { running: number; starts: (() => void)[] }>();

  function release(personId: string): void {
    const own = people.get(personId);
    if (own === undefined) return;
    const start = own.starts.shift();
    if (start !== undefined) start();
    else {
      own.running -= 1;
      if (own.running === 0) people.delete(personId);
    }
  }

  return {
    async run(personId, call, mayWait = true) {
      const own = people.get(personId) ?? { running: 0, starts: [] };
      people.set(personId, own);
      if (own.running >= max && own.starts.length >= (mayWait ? WAITING_MAX : 0)) {
        throw new BackofficeError(
          'TOO_MANY_REQUESTS',
          'You already have too many requests open. Wait until they are complete, then try again.',
        );
      }
      if (own.running < max) own.running += 1;
      else await new Promise<void>((resolve) => own.starts.push(resolve));
      try {
        return await call();
      } finally {
        // Lets other requests run first: calls on SQLite do not yield, so a queue of them would block the thread.
        setImmediate(release, personId);
      }
    },
  };
}
