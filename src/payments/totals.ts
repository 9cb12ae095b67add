import { beforeCommit, type Tx } from '../db/database.ts';
import { lisbonDay } from '../kernel/lisbon.ts';
import type { AttemptRow } from './attempt-store.ts';
import type { TransactionRow } from './store.ts';
import { addToDays, addToMethodDays, type DaySum, type MethodDaySum } from './totals-store.ts';

// The daily totals. The caller runs each function right after the guarded update that it counts, so each change counts once.

type Owner = Pick<TransactionRow, 'merchant_id'>;
type Sale = Pick<TransactionRow, 'merchant_id' | 'amount_cents'>;

type Created = Sale & Pick<TransactionRow, 'created_at'>;

export function countCreated(tx: Tx, row: Created): void {
  beforeCommit(tx, writeSums, createdSum(row));
}

/** What new transactions add to the rows of their merchants and days. */
export function createdSums(rows: readonly Created[]): DaySum[] {
  return summed(rows.map(createdSum));
}

function createdSum(row: Created): DaySum {
  const created = { created_count: 1, created_cents: row.amount_cents };
  return { ...dayOf(row, row.created_at), ...created, ended_count: 0, ended_cents: 0 };
}

/** Counts a transaction that stopped being pending at `at`. */
export function countEnded(tx: Tx, row: Sale, at: number): void {
  const ended = { ended_count: 1, ended_cents: row.amount_cents };
  beforeCommit(tx, writeSums, { ...dayOf(row, at), created_count: 0, created_cents: 0, ...ended });
}

/** Counts an attempt that the bank accepts, unless it was accepted before, on the day on which it was created. */
export function countSent(
  tx: Tx,
  row: Pick<AttemptRow, 'merchant_id' | 'method' | 'created_at' | 'accepted'>,
): void {
  if (row.accepted === 1) return;
  const key = { ...dayOf(row, row.created_at), method: row.method };
  beforeCommit(tx, writeSums, { ...key, attempts_count: 1, paid_count: 0, paid_cents: 0 });
}

/** Counts a transaction that became paid, on the bank's day of payment `at`: a late recording changes a past day. */
export function countPaid(tx: Tx, row: Sale, method: AttemptRow['method'], at: number): void {
  const key = { ...dayOf(row, at), method };
  beforeCommit(tx, writeSums, { ...key, attempts_count: 0, paid_count: 1, paid_cents: row.amount_cents });
}

function dayOf({ merchant_id }: Owner, at: number) {
  return { merchant_id, day: lisbonDay(at) };
}

/** Writes one sum per row for all changes of a commit, in one order everywhere, so that commits do not deadlock. */
async function writeSums(tx: Tx, changes: readonly (DaySum | MethodDaySum)[]): Promise<void> {
  const days = changes.filter((change): change is DaySum => !('method' in change));
  const methodDays = changes.filter((change): change is MethodDaySum => 'method' in change);
  await addToDays(tx, summed(days));
  await addToMethodDays(tx, summed(methodDays));
}

/** Adds up the changes of each row, and sorts the rows. */
function summed<S extends DaySum | MethodDaySum>(changes: readonly S[]): S[] {
  const keyOf = (change: S) =>
    `${change.merchant_id} ${change.day} ${'method' in change ? change.method : ''}`;
  return [...Map.groupBy(changes, keyOf)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, own]) => own.reduce(added));
}

function added<S extends object>(sum: S, change: S): S {
  const entries = Object.entries(change).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'number' ? Number(sum[name as keyof S]) + value : value,
  ]);
  return Object.fromEntries(entries) as S;
}
