import type { Logger } from 'pino';

/** Logs that the bank fell silent, and that it speaks again: once for each change, not once for each call. */
export interface Silence {
  silent(key: string, detail: string): void;
  spoke(key: string): void;
}

/** `what` names the kind of call; keys are account ids. */
export function createSilence(log: Logger, what: string): Silence {
  const silentKeys = new Set<string>();
  return {
    silent(key, detail) {
      if (silentKeys.has(key)) return;
      silentKeys.add(key);
      log.warn({ accountId: key, what, detail }, 'the bank gives no readable answer; it will be asked again');
    },
    spoke(key) {
      if (silentKeys.delete(key)) log.info({ accountId: key, what }, 'the bank answers again');
    },
  };
}
