import { beforeCommit, type Tx } from '../db/database.ts';
import { lisbonDay } from '../kernel/lisbon.ts';
import type { AttemptRow } from './attempt-store.ts';
import type { TransactionRow } from './store.ts';
import { addToDay, addToMethodDay, type DaySum, type MethodDaySum } from './totals-store.ts';

/** What one change adds, to a day or to a day and method. */
type Added = { day: DaySum } | { methodDay: MethodDaySum };

/**
 * The daily totals, kept beside what they count: each call adds to the caller's unit, right after the guarded change
 * that it counts, so that a change that happens once is counted once. The sums of all units of a commit are written
 * together: one statement for a day, however many payments share the commit.
 */
export function countCreated(
  tx: Tx,
  row: Pick<TransactionRow, 'merchant_id' | 'created_at' | 'amount_cents'>,
): void {
  leave(tx, {
    day: {
      ...{ merchant_id: row.merchant_id, day: lisbonDay(row.created_at) },
      ...{ created_count: 1, created_cents: row.amount_cents, ended_count: 0, ended_cents: 0 },
    },
  });
}

/** Counts a transaction that stopped being pending at `at`. */
export function countEnded(
  tx: Tx,
  row: Pick<TransactionRow, 'merchant_id' | 'amount_cents'>,
  at: number,
): void {
  leave(tx, {
    day: {
      ...{ merchant_id: row.merchant_id, day: lisbonDay(at) },
      ...{ created_count: 0, created_cents: 0, ended_count: 1, ended_cents: row.amount_cents },
    },
  });
}

/** Counts an attempt that begins. */
export function countAttempt(tx: Tx, row: Pick<AttemptRow, 'merchant_id' | 'method' | 'created_at'>): void {
  leave(tx, {
    methodDay: {
      ...{ merchant_id: row.merchant_id, day: lisbonDay(row.created_at), method: row.method },
      ...{ attempts_count: 1, paid_count: 0, paid_cents: 0 },
    },
  });
}

/**
 * Counts a transaction that became paid at `at`. The day is that of the change, as payment.success tells it, and not
 * the bank's day of payment: a day that is over never changes any more, also when money is recorded late or a held payment is
 * released weeks after, and the sums are those of the events that the merchant received.
 */
export function countPaid(
  tx: Tx,
  row: Pick<TransactionRow, 'merchant_id' | 'amount_cents'>,
  method: AttemptRow['method'],
  at: number,
): void {
  leave(tx, {
    methodDay: {
      ...{ merchant_id: row.merchant_id, day: lisbonDay(at), method },
      ...{ attempts_count: 0, paid_count: 1, paid_cents: row.amount_cents },
    },
  });
}

function leave(tx: Tx, added: Added): void {
  beforeCommit(tx, write, added);
}

/** Days first for all, so that two commits never lock crosswise. */
async function write(tx: Tx, items: readonly Added[]): Promise<void> {
  const days = items.flatMap((item) => ('day' in item ? item.day : []));
  for (const sum of summed(days, (item) => `${item.merchant_id} ${item.day}`)) await addToDay(tx, sum);
  const methodDays = items.flatMap((item) => ('methodDay' in item ? item.methodDay : []));
  const sums = summed(methodDays, (item) => `${item.merchant_id} ${item.day} ${item.method}`);
  for (const sum of sums) await addToMethodDay(tx, sum);
}

/** One row for each key, its numbers added up; in the order of the keys, for the same reason. */
function summed<T extends object>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const sums = new Map<string, Record<string, unknown>>();
  for (const item of items) {
    const key = keyOf(item);
    const sum = sums.get(key);
    if (sum === undefined) {
      sums.set(key, { ...(item as Record<string, unknown>) });
      continue;
    }
    for (const name in item) {
      const value: unknown = item[name];
      if (typeof value === 'number') sum[name] = Number(sum[name]) + value;
    }
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum as T);
}
