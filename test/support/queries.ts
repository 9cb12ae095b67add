import pg from 'pg';

let underWay = 0;

/** How many queries of this process wait for a PostgreSQL server's answer, or for a connection to it. */
export function queriesUnderWay(): number {
  return underWay;
}

count(pg.Client.prototype, 'query');
count(pg.Pool.prototype, 'connect');

/** Counts the promises that a method returns until they settle. */
function count(prototype: object, name: string): void {
  const methods = prototype as Record<string, (...args: unknown[]) => unknown>;
  const method = methods[name];
  methods[name] = function (this: unknown, ...args: unknown[]) {
    const answer = method?.apply(this, args);
    if (!(answer instanceof Promise)) return answer;
    underWay++;
    const end = () => {
      underWay--;
    };
    answer.then(end, end);
    return answer;
  };
}
