import type { Deps } from '../../deps.ts';

/** Logs when the bank becomes unavailable for an account and when it recovers: once per change, not per call. */
export type Availability = ReturnType<typeof createAvailability>;

/** `operation` names the kind of call. */
export function createAvailability({ log, metrics }: Pick<Deps, 'log' | 'metrics'>, operation: string) {
  const unavailableIds = new Set<string>();
  return {
    unavailable(accountId: string, detail: string): void {
      if (unavailableIds.has(accountId)) return;
      unavailableIds.add(accountId);
      metrics.bankUnavailable(accountId, operation, true);
      log.warn({ accountId, operation, detail }, 'the bank gives no readable answer; retrying with back-off');
    },
    recovered(accountId: string): void {
      if (!unavailableIds.delete(accountId)) return;
      metrics.bankUnavailable(accountId, operation, false);
      log.info({ accountId, operation }, 'the bank answers again');
    },
  };
}
