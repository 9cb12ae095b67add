import type Sqlite from 'better-sqlite3';
import type { Selectable } from 'kysely';
import type { Tables } from '../../src/db/tables/tables.ts';

/** The columns that the invariants check. */
const COLUMNS = {
  transactions: [
    ...(['id', 'merchant_id', 'status', 'held', 'amount_cents', 'events_count', 'created_at'] as const),
    ...(['paid_attempt_id', 'paid_at', 'paid_method', 'deadline_at'] as const),
    ...(['order_id', 'session_id', 'session_paid', 'pending_until'] as const),
  ],
  attempts: [
    ...(['id', 'transaction_id', 'account_id', 'method', 'state', 'bank_order_id', 'request_id'] as const),
    ...(['expires_at', 'created_at', 'check_at', 'merchant_id', 'amount_cents'] as const),
    ...(['phone_number', 'end_reason'] as const),
  ],
  receipts: [
    ...(['id', 'identity', 'transaction_id', 'attempt_id', 'amount_cents'] as const),
    ...(['late', 'duplicate', 'under', 'over', 'unmatched', 'request_id', 'bank_order_id'] as const),
    ...(['paid_at', 'recorded_at', 'settlement', 'settled_at', 'returned_cents'] as const),
    ...(['refund_cents', 'account_id', 'merchant_id', 'method'] as const),
  ],
  events: ['id', 'transaction_id', 'kind', 'merchant_id', 'sequence'],
  deliveries: [
    ...(['id', 'event_id', 'transaction_id', 'state', 'lane_position', 'attempts_count'] as const),
    ...(['recovery_id', 'merchant_id', 'blocked', 'finished_at'] as const),
  ],
  receipt_notes: ['id', 'receipt_id', 'kind'],
  refunds: [
    ...(['id', 'receipt_id', 'account_id', 'request_id', 'amount_cents', 'state'] as const),
    ...(['retry_of', 'check_at'] as const),
  ],
  bank_accounts: ['id', 'merchant_id', 'acquirer', 'current'],
  merchants: ['id', 'hold', 'auto_recover', 'customer_mails', 'alerts', 'webhook_enabled'],
  checkout_sessions: ['id', 'merchant_id', 'expires_at', 'link_id', 'locale'],
  payment_links: ['id', 'uses_max', 'uses_count', 'order_prefix', 'closed_at', 'expires_at'],
  mails: [...(['id', 'kind', 'entity', 'reader', 'state', 'attempts_count'] as const), 'planned_at'],
  recoveries: ['id', 'since_at'],
  auto_recoveries: ['merchant_id', 'phase', 'since_at', 'missed_at'],
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
type RouteView = Selectable<Tables['bank_routes']> & { id: string };
export type AccountView = View<'bank_accounts'>;
export type RefundView = View<'refunds'>;
export type MailView = View<'mails'>;

/** The rows by their first column, in the order of their insertion, and the routes by merchant and method. */
export type Snapshot = { [K in Name]: Map<string, View<K>> } & { routes: Map<string, RouteView> };

export const EMPTY = Object.fromEntries(
  [...Object.keys(COLUMNS), 'routes'].map((name) => [name, new Map()]),
) as Snapshot;

/** Returns a function that reads snapshots through one connection, without the service's code. */
export function snapshotReader(handle: Sqlite.Database): () => Snapshot {
  const tables = Object.entries(COLUMNS).map(([name, columns]) => {
    const statement = handle.prepare(`select ${columns.join()} from ${name} order by rowid`);
    const [key] = columns;
    return () => {
      const rows = statement.all() as Record<string, string>[];
      return [name, new Map(rows.map((row) => [row[key], row]))] as const;
    };
  });
  const routes = handle.prepare("select merchant_id || ' ' || method as id, * from bank_routes");
  return () =>
    ({
      ...Object.fromEntries(tables.map((read) => read())),
      routes: new Map((routes.all() as RouteView[]).map((row) => [row.id, row])),
    }) as unknown as Snapshot;
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

/** The pushes of a transaction that the shopper may still accept. */
export function livePushesOf(state: Snapshot, transactionId: string): AttemptView[] {
  return attemptsOf(state, transactionId).filter((row) => row.method === 'MBWAY' && isLive(row));
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
