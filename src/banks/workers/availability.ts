import type { Logger } from 'pino';
import type { Metrics } from '../../deps.ts';

/** Logs that the bank fell silent, and that it speaks again: once for each change, not once for each call. */
export interface Silence {
  silent(key: string, detail: string): void;
  spoke(key: string): void;
}

/** `what` names the kind of call; keys are account ids. */
export function createSilence(
  log: Logger,
  what: string,
  metrics?: Pick<Metrics, 'bankUnavailable'>,
): Silence {
  const silentKeys = new Set<string>();
  return {
    silent(key, detail) {
      if (silentKeys.has(key)) return;
      silentKeys.add(key);
      metrics?.bankUnavailable?.(key, what, true);
      log.warn({ accountId: key, what, detail }, 'the bank gives no readable answer; it will be asked again');
    },
    spoke(key) {
      if (!silentKeys.delete(key)) return;
      metrics?.bankUnavailable?.(key, what, false);
      log.info({ accountId: key, what }, 'the bank answers again');
    },
  };
}
