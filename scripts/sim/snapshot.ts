import type Sqlite from 'better-sqlite3';
import type { Selectable } from 'kysely';
import type { Tables } from '../../src/db/tables/tables.ts';

/** The tables that the invariants read, with the expression that identifies a row. */
const TABLES = {
  transactions: 'id',
  attempts: 'id',
  receipts: 'id',
  events: 'id',
  deliveries: 'id',
  receipt_notes: 'id',
  refunds: 'id',
  reported_refunds: 'id',
  bank_accounts: 'id',
  bank_routes: "merchant_id || ' ' || method",
  merchants: 'id',
  checkout_sessions: 'id',
  payment_links: 'id',
  mails: 'id',
  recoveries: 'id',
  auto_recoveries: 'merchant_id',
} as const satisfies { [K in keyof Tables]?: string };

type Name = keyof typeof TABLES;

export type TransactionView = Selectable<Tables['transactions']>;
export type AttemptView = Selectable<Tables['attempts']>;
export type ReceiptView = Selectable<Tables['receipts']>;
export type DeliveryView = Selectable<Tables['deliveries']>;
export type AccountView = Selectable<Tables['bank_accounts']>;
export type RefundView = Selectable<Tables['refunds']>;
export type MailView = Selectable<Tables['mails']>;

/** The rows by what identifies them, in the order of their insertion. */
export type Snapshot = { [K in Name]: Map<string, Selectable<Tables[K]>> };

export const EMPTY = Object.fromEntries(Object.keys(TABLES).map((name) => [name, new Map()])) as Snapshot;

/** Returns a function that reads snapshots through one connection, without the service's code. */
export function snapshotReader(handle: Sqlite.Database): () => Snapshot {
  const tables = Object.entries(TABLES).map(([name, key]) => {
    const statement = handle.prepare(`select ${key} as row_key, * from ${name} order by rowid`);
    return () => {
      const rows = statement.all() as { row_key: string }[];
      return [name, new Map(rows.map((row) => [row.row_key, row]))] as const;
    };
  });
  return () => Object.fromEntries(tables.map((read) => read())) as unknown as Snapshot;
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
        union all select min(due_at) from mails where due_at > :now
        union all select min(due_at) from auto_recoveries where due_at > :now
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

/** The attempt with this order id at the bank. */
export function attemptOfOrder(state: Snapshot, bankOrderId: string | undefined): AttemptView | undefined {
  return [...state.attempts.values()].find((row) => row.bank_order_id === bankOrderId);
}

/** Whether the order came from a payment link, and so without a customer. */
export function isOfLink({ checkout_sessions }: Snapshot, { session_id }: TransactionView): boolean {
  return (checkout_sessions.get(session_id ?? '')?.link_id ?? null) !== null;
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

/** Whether the receipt paid a second transaction of an order. */
export function paysSecond({ late, duplicate }: ReceiptView): boolean {
  return late === 1 && duplicate === 1;
}

/** The other transactions of the checkout session of this one. */
export function othersOfSession(state: Snapshot, { id, session_id }: TransactionView): TransactionView[] {
  if (session_id === null) return [];
  return [...state.transactions.values()].filter((row) => row.session_id === session_id && row.id !== id);
}

export function isSold({ status, held }: TransactionView): boolean {
  return status === 'paid' || held === 1;
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
