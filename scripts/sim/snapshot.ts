import type Sqlite from 'better-sqlite3';
import type { Selectable } from 'kysely';
import type { Tables } from '../../src/db/tables/tables.ts';

/** The columns that the invariants are about. */
const COLUMNS = {
  transactions: [
    ...(['id', 'merchant_id', 'status', 'held', 'amount_cents', 'events_count', 'created_at'] as const),
    ...(['paid_attempt_id', 'paid_at', 'paid_method', 'deadline_at'] as const),
  ],
  attempts: [
    ...(['id', 'transaction_id', 'account_id', 'method', 'state', 'bank_order_id', 'request_id'] as const),
    ...(['expires_at', 'created_at', 'check_at'] as const),
  ],
  receipts: [
    ...(['id', 'identity', 'transaction_id', 'attempt_id', 'amount_cents'] as const),
    ...(['late', 'duplicate', 'under', 'over', 'unmatched', 'request_id', 'bank_order_id'] as const),
    ...(['paid_at', 'recorded_at', 'settlement', 'settled_at', 'returned_cents'] as const),
    ...(['refund_cents', 'account_id', 'merchant_id'] as const),
  ],
  events: ['id', 'transaction_id', 'kind', 'merchant_id', 'sequence'],
  deliveries: [
    ...(['id', 'event_id', 'transaction_id', 'state', 'lane_position', 'attempts_count'] as const),
    'recovery_id',
  ],
  receipt_notes: ['id', 'receipt_id', 'kind'],
  refunds: ['id', 'receipt_id', 'request_id', 'amount_cents', 'state', 'retry_of', 'check_at'],
} as const satisfies { [K in keyof Tables]?: readonly (keyof Tables[K])[] };

type Name = keyof typeof COLUMNS;
type View<K extends Name> = Pick<
  Selectable<Tables[K]>,
  (typeof COLUMNS)[K][number] & keyof Selectable<Tables[K]>
>;

export type TransactionView = View<'transactions'>;
export type AttemptView = View<'attempts'>;
export type ReceiptView = View<'receipts'>;
export type DeliveryView = View<'deliveries'>;
export type RefundView = View<'refunds'>;

/** The rows by id, in the order of their insertion, and the merchants under review hold. */
export type Snapshot = { [K in Name]: Map<string, View<K>> } & { holds: Set<string> };

export const EMPTY: Snapshot = {
  transactions: new Map(),
  attempts: new Map(),
  receipts: new Map(),
  events: new Map(),
  deliveries: new Map(),
  receipt_notes: new Map(),
  refunds: new Map(),
  holds: new Set(),
};

/** Returns a function that reads snapshots through one connection, without the service's code. */
export function snapshotReader(handle: Sqlite.Database): () => Snapshot {
  const tables = Object.entries(COLUMNS).map(([name, columns]) => {
    const statement = handle.prepare(`select ${columns.join()} from ${name} order by rowid`);
    return () => {
      const rows = statement.all() as { id: string }[];
      return [name, new Map(rows.map((row) => [row.id, row]))] as const;
    };
  });
  const holds = handle.prepare('select id from merchants where hold = 1').pluck();
  return () =>
    ({
      ...Object.fromEntries(tables.map((read) => read())),
      holds: new Set(holds.all() as string[]),
    }) as Snapshot;
}

/** Reads when the next row after `now` is due, or Infinity. */
export function dueReader(handle: Sqlite.Database): (now: number) => number {
  const statement = handle
    .prepare(
      `select min(at) from (
        select min(check_at) as at from attempts where state in ('open', 'initiated') and check_at > :now
        union all select min(next_attempt_at) from deliveries where state = 'due' and next_attempt_at > :now
        union all select min(check_at) from bank_hints where check_at > :now
        union all select min(check_at) from refunds where state = 'accepted' and check_at > :now
        union all select min(deadline_at) from transactions where deadline_at > :now)`,
    )
    .pluck();
  return (now) => (statement.get({ now }) as number | null) ?? Number.POSITIVE_INFINITY;
}

export function isLive({ state }: AttemptView): boolean {
  return ['initiated', 'open', 'unknown'].includes(state);
}

export function attemptsOf(state: Snapshot, transactionId: string): AttemptView[] {
  return [...state.attempts.values()].filter((row) => row.transaction_id === transactionId);
}

export function receiptsOf(state: Snapshot, transactionId: string): ReceiptView[] {
  return [...state.receipts.values()].filter((row) => row.transaction_id === transactionId);
}

export function refundsOf(state: Snapshot, receiptId: string): RefundView[] {
  return [...state.refunds.values()].filter((row) => row.receipt_id === receiptId);
}

export function paysAlone(receipt: ReceiptView): boolean {
  return receipt.unmatched === 0 && receipt.duplicate === 0 && receipt.under === 0;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
