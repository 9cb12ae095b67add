import type { Deps } from '../deps.ts';
import { isObject, member, textOf } from './ifthenpay/wire.ts';

/** Rows remembered as reported; beyond it they are reported anew rather than forgotten. */
const REPORTED_MAX = 1000;
const MEMBERS = ['amount', 'entity', 'orderId', 'requestId', 'paymentDate', 'procDate'];

/**
 * Says loudly, once for each row, that the bank's list holds money that could not be read: an error line with what
 * the operator needs to find it, and a count. The sweep meets the row again for as long as it is in reach.
 */
export function createUnreadableLog(
  deps: Pick<Deps, 'log' | 'metrics'>,
): (accountId: string, row: unknown) => void {
  const reported = new Set<string>();
  return (accountId, row) => {
    const key = `${accountId} ${JSON.stringify(row)}`;
    if (reported.has(key)) return;
    if (reported.size >= REPORTED_MAX) reported.clear();
    reported.add(key);
    deps.metrics.bankCall('list-row', 'unknown', 0);
    deps.log.error(
      { accountId, row: shown(row) },
      "a payment in the bank's list has no readable amount and was not recorded; look it up at the bank",
    );
  };
}

function shown(row: unknown): Record<string, string | null> | string {
  if (!isObject(row)) return typeof row;
  return Object.fromEntries(MEMBERS.map((name) => [name, textOf(member(row, name))?.slice(0, 64) ?? null]));
}
