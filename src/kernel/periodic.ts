import type { Clock } from './clock.ts';

/** Work that a service does over and over from its start to its stop. */
export interface Turns {
  start(): void;
  /** Begins no turn any more; resolves when the one under way is over. */
  stop(): Promise<void>;
}

/**
 * One turn after the other from start() to stop(), never two at once. A turn resolves to the milliseconds until the next
 * one and must not reject; it may look by `isStopping` whether to end early. The first runs at once, or after `firstAfterMs`.
 */
export function createTurns(
  clock: Pick<Clock, 'after'>,
  turn: (isStopping: () => boolean) => Promise<number>,
  firstAfterMs?: number,
): Turns {
  let stopping = false;
  let cancel = () => {};
  let running: Promise<void> = Promise.resolve();
  const run = () => {
    running = turn(() => stopping).then((delayMs) => {
      if (!stopping) cancel = clock.after(delayMs, run);
    });
  };
  return {
    start() {
      if (firstAfterMs === undefined) run();
      else cancel = clock.after(firstAfterMs, run);
    },
    async stop() {
      stopping = true;
      cancel();
      await running;
    },
  };
}
