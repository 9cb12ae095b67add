/** Tasks that take turns, a number of each person's at a time. */
export interface Turns {
  /** Runs a task when the person has a free turn, in the order of the calls. */
  run<Result>(personId: string, task: () => Promise<Result>): Promise<Result>;
}

export function createTurns(max: number): Turns {
  /** By person; those who run nothing are left out. */
  const people = new Map<string, { running: number; starts: (() => void)[] }>();
  return {
    async run(personId, task) {
      const own = people.get(personId) ?? { running: 0, starts: [] };
      people.set(personId, own);
      if (own.running < max) own.running += 1;
      else await new Promise<void>((resolve) => own.starts.push(resolve));
      try {
        return await task();
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
