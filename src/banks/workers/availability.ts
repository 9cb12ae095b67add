import type { Deps } from '../../deps.ts';

/** Logs when the bank becomes unavailable for an account and when it recovers: once per change, not per call. */
export type Availability = ReturnType<typeof createAvailability>;

/** More failed orders than these need not be followed to know that an outage lasts. */
const FOLLOWED_MAX = 100;

/** `operation` names the kind of call. */
export function createAvailability({ log, metrics }: Pick<Deps, 'log' | 'metrics'>, operation: string) {
  /** The unavailable accounts, with the orders at the bank whose check failed. */
  const failed = new Map<string, Set<string>>();

  function end(accountId: string, message: string): void {
    if (!failed.delete(accountId)) return;
    metrics.bankUnavailable(accountId, operation, false);
    log.info({ accountId, operation }, message);
  }
  return {
    unavailable(accountId: string, detail: string, bankOrderId?: string): void {
      const orders = failed.get(accountId) ?? new Set();
      if (bankOrderId !== undefined && orders.size < FOLLOWED_MAX) orders.add(bankOrderId);
      if (failed.has(accountId)) return;
      failed.set(accountId, orders);
      metrics.bankUnavailable(accountId, operation, true);
      log.warn({ accountId, operation, detail }, 'the bank gives no readable answer; retrying with back-off');
    },
    recovered: (accountId: string): void => end(accountId, 'the bank answers again'),
    /** Ends the outages of accounts none of whose failed orders is still checked: no call would notice a recovery. */
    async endUnchecked(isChecked: (bankOrderId: string) => Promise<boolean>): Promise<void> {
      for (const [accountId, orders] of [...failed]) {
        for (const bankOrderId of orders) {
          if (await isChecked(bankOrderId)) break;
          orders.delete(bankOrderId);
        }
        // Another outage may have begun during the reads.
        if (orders.size === 0 && failed.get(accountId) === orders)
          end(accountId, 'every payment whose check failed has ended');
      }
    },
  };
}
