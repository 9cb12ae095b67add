/** Limits the calls of each person that run at the same time. */
export interface CallLimit {
  /** Runs a call as soon as the limit allows it, in the order of arrival. */
  run<Result>(personId: string, call: () => Promise<Result>): Promise<Result>;
}

export function createCallLimit(max: number): CallLimit {
  /** By person; those without a running call are left out. */
  const people = new Map<string, { running: number; starts: (() => void)[] }>();
  return {
    async run(personId, call) {
      const own = people.get(personId) ?? { running: 0, starts: [] };
      people.set(personId, own);
      if (own.running < max) own.running += 1;
      else await new Promise<void>((resolve) => own.starts.push(resolve));
      try {
        return await call();
      } finally {
        const start = own.starts.shift();
        if (start !== undefined) start();
        else {
          own.running -= 1;
          if (own.running === 0) people.delete(personId);
        }
      }
    },
  };
}
