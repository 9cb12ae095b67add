import pg from 'pg';

/** The number of PostgreSQL queries and connections of this process that wait for an answer. */
let pending = 0;
let onAnswers = () => {};

/** Waits at most `maxMs` for the answers of all queries. Resolves to false when it had nothing to wait for. */
export async function queriesAnswered(maxMs: number): Promise<boolean> {
  if (pending === 0 || maxMs <= 0) return false;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, maxMs);
    const others = onAnswers;
    onAnswers = () => {
      clearTimeout(timer);
      others();
      resolve();
    };
  });
  return true;
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
