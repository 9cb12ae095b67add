import pg from 'pg';

let pending = 0;

/** The number of PostgreSQL queries and connections of this process that wait for an answer. */
export function pendingQueries(): number {
  return pending;
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
    };
    answer.then(end, end);
    return answer;
  };
}
