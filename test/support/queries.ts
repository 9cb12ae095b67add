import pg from 'pg';

/** The number of PostgreSQL queries and connections of this process that wait for an answer. */
let pending = 0;
let onAnswers = () => {};

export const hasPendingQueries = () => pending > 0;

/** Waits for the answers of all pending queries. Resolves to false when that takes longer than `maxMs`. */
export function queriesAnswered(maxMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), maxMs);
    const others = onAnswers;
    onAnswers = () => {
      clearTimeout(timer);
      others();
      resolve(true);
    };
  });
}

count(pg.Client.prototype, 'query');
count(pg.Pool.prototype, 'connect');
count(pg.Pool.prototype, 'query');

/** Counts the promises that a method returns until they settle. */
function count(prototype: object, name: string): void {
  const methods = prototype as Record<string, (...args: unknown[]) => unknown>;
  const method = methods[name];
  methods[name] = function (this: unknown, ...args: unknown[]) {
    const answer = method?.apply(this, args);
    if (!(answer instanceof Promise)) return answer;
    pending++;
    const end = () => {
      pending--;
      if (pending > 0) return;
      onAnswers();
      onAnswers = () => {};
    };
    answer.then(end, end);
    return answer;
  };
}
