import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/clock.ts';
/** `good`: nothing to do. `attention`: needs attention. `bad`: needs attention now. */
export type Level = 'good' | 'attention' | 'bad';

const SECOND_MS = 1000;
const GIBIBYTE = 1024 ** 3;

const WORST_FIRST: readonly Level[] = ['bad', 'attention', 'good'];

export function worst(levels: readonly Level[]): Level {
  return WORST_FIRST.find((level) => levels.includes(level)) ?? 'good';
}

/** A due delivery that is not claimed indicates a fault; a backlog alone indicates a slow endpoint. */
export function queueLevel(queue: { oldestDueAgeMs: number | null; unclaimedMs: number | null }): Level {
  if ((queue.unclaimedMs ?? 0) > 30 * SECOND_MS) return 'bad';
  return (queue.oldestDueAgeMs ?? 0) > MINUTE_MS ? 'attention' : 'good';
}

/** `reconcileMs` is the interval of reconciliation; after failures it grows to at most 15 minutes. */
export function accountLevel(
  account: { createdAt: number; listReadAt: number | null; unavailableSince: number | null },
  now: number,
  reconcileMs: number,
): Level {
  const ageMs = now - (account.listReadAt ?? account.createdAt);
  if (ageMs > Math.max(HOUR_MS, 4 * reconcileMs)) return 'bad';
  return account.unavailableSince !== null || ageMs > 3 * reconcileMs + MINUTE_MS ? 'attention' : 'good';
}

/** The level of the bank; without an account no payment is possible. */
export function bankLevel(calls: { calls: number; failed: number }, accounts: readonly Level[]): Level {
  if (accounts.length === 0) return 'bad';
  const rate = calls.calls === 0 ? 0 : calls.failed / calls.calls;
  if (calls.failed >= 5 && rate > 0.5) return 'bad';
  return worst([calls.failed >= 2 && rate > 0.05 ? 'attention' : 'good', ...accounts]);
}

export function httpLevel(http: { requests: number; serverErrors: number }): Level {
  const rate = http.requests === 0 ? 0 : http.serverErrors / http.requests;
  if (http.serverErrors >= 5 && rate > 0.1) return 'bad';
  return http.serverErrors > 0 && rate > 0.01 ? 'attention' : 'good';
}

export function storageLevel(disk: { freeBytes: number | null; totalBytes: number | null }): Level {
  const { freeBytes, totalBytes } = disk;
  if (freeBytes === null || totalBytes === null) return 'good';
  if (freeBytes < GIBIBYTE / 2) return 'bad';
  return freeBytes < 2 * GIBIBYTE || freeBytes < totalBytes / 20 ? 'attention' : 'good';
}

/** The sandbox needs no backups. The service does not see those of a PostgreSQL server. */
export function backupLevel(
  backup: { at: number | null; sandbox: boolean; byServer: boolean },
  now: number,
): Level {
  if (backup.sandbox || backup.byServer) return 'good';
  return backup.at === null || now - backup.at > 2 * DAY_MS ? 'attention' : 'good';
}
