import type { Life } from './life.ts';
import type { World } from './world.ts';

/** One request to the bank and its fate. */
export interface Exchange<T> {
  name: string;
  /** Milliseconds until the bank acts; null when the request is lost on its way. */
  arrivesMs: number | null;
  /** Milliseconds from then until the answer; null when none comes. */
  answersMs: number | null;
  /** Milliseconds until the connection breaks; null when it does not. */
  failsMs: number | null;
  /** What the bank does. Happens although the sender died in between. */
  work(): T;
  /** What the adapter makes of no answer: a value, or an error thrown. */
  silence(): T;
  /** Told before the caller is, when the answer came in time. */
  answered?(value: T): void;
}

/** Plays an exchange in simulated time. The process may die before the request leaves, after the bank acted, after the answer. */
export function exchange<T>(life: Life, world: World, asked: Exchange<T>): Promise<T> {
  if (life.dies(`${asked.name} leaves`)) return life.never();
  return new Promise<T>((resolve, reject) => {
    let over = false;
    const end = (outcome: () => T) => {
      if (over || life.dead) return;
      over = true;
      if (life.dies(`${asked.name} answered`)) return;
      try {
        resolve(outcome());
      } catch (error) {
        reject(error);
      }
    };
    const own = { owner: life };
    const arrive = () => {
      const value = asked.work();
      world.note(`bank ${asked.name}`, summary(value));
      life.dies(`${asked.name} arrived`);
      if (asked.answersMs === null) return;
      const answer = () => {
        asked.answered?.(value);
        return value;
      };
      world.time.schedule(asked.answersMs, () => end(answer), own);
    };
    if (asked.arrivesMs !== null) world.time.schedule(asked.arrivesMs, arrive);
    const deadlineMs = asked.failsMs ?? world.plan.settings.bankTimeoutMs;
    world.time.schedule(deadlineMs, () => end(asked.silence), own);
  });
}

function summary(value: unknown): string {
  if (Array.isArray(value)) return `${value.length} rows`;
  return typeof value === 'object' && value !== null && 'kind' in value ? String(value.kind) : '';
}
