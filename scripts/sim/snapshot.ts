import type Sqlite from 'better-sqlite3';
import type { AttemptState, PaymentMethod, TransactionStatus } from '../../src/db/tables/payments.ts';
import type { DeliveryState, EventKind } from '../../src/db/tables/webhooks.ts';

export interface TransactionView {
  id: string;
  merchant_id: string;
  status: TransactionStatus;
  held: number;
  amount_cents: number;
  events_count: number;
  created_at: number;
  paid_attempt_id: string | null;
  paid_at: number | null;
  paid_method: PaymentMethod | null;
  deadline_at: number | null;
}

export interface AttemptView {
  id: string;
  transaction_id: string;
  account_id: string;
  method: PaymentMethod;
  state: AttemptState;
  bank_order_id: string;
  request_id: string | null;
  expires_at: number | null;
  created_at: number;
  check_at: number | null;
}

export interface ReceiptView {
  id: string;
  identity: string;
  transaction_id: string | null;
  attempt_id: string | null;
  amount_cents: number;
  late: number;
  duplicate: number;
  under: number;
  over: number;
  unmatched: number;
  request_id: string | null;
  bank_order_id: string | null;
  paid_at: number;
  recorded_at: number;
  settlement: 'credited' | 'assigned' | 'returned' | null;
  settled_at: number | null;
  returned_cents: number | null;
}

export interface NoteView {
  id: string;
  receipt_id: string;
  kind: string;
}

export interface EventView {
  id: string;
  transaction_id: string | null;
  kind: EventKind;
  merchant_id: string;
  sequence: number | null;
}

export interface DeliveryView {
  id: string;
  event_id: string;
  transaction_id: string | null;
  state: DeliveryState;
  lane_position: number | null;
  attempts_count: number;
  /** Set for deliveries of a recovery, which are ordered separately. */
  recovery_id: string | null;
}

/** The rows that the invariants are about. */
export interface Snapshot {
  transactions: Map<string, TransactionView>;
  attempts: Map<string, AttemptView>;
  receipts: Map<string, ReceiptView>;
  events: Map<string, EventView>;
  deliveries: Map<string, DeliveryView>;
  notes: Map<string, NoteView>;
  /** Merchants under review hold. */
  holds: Set<string>;
}

export const EMPTY: Snapshot = {
  transactions: new Map(),
  attempts: new Map(),
  receipts: new Map(),
  events: new Map(),
  deliveries: new Map(),
  notes: new Map(),
  holds: new Set(),
};

const QUERIES = {
  transactions:
    'select id, merchant_id, status, held, amount_cents, events_count, created_at, paid_attempt_id, paid_at, paid_method, deadline_at from transactions',
  attempts:
    'select id, transaction_id, account_id, method, state, bank_order_id, request_id, expires_at, created_at, check_at from attempts',
  receipts:
    'select id, identity, transaction_id, attempt_id, amount_cents, late, duplicate, under, over, unmatched, request_id, bank_order_id, paid_at, recorded_at, settlement, settled_at, returned_cents from receipts',
  events: 'select id, transaction_id, kind, merchant_id, sequence from events order by rowid',
  deliveries:
    'select id, event_id, transaction_id, state, lane_position, attempts_count, recovery_id from deliveries',
  notes: 'select id, receipt_id, kind from receipt_notes',
};

/** Returns a function that reads snapshots through one connection, without the service's code. */
export function snapshotReader(handle: Sqlite.Database): () => Snapshot {
  const prepared = Object.fromEntries(
    Object.entries(QUERIES).map(([name, query]) => [name, handle.prepare(query)]),
  );
  const holds = handle.prepare('select id from merchants where hold = 1').pluck();
  const all = <T extends { id: string }>(name: keyof typeof QUERIES): Map<string, T> => {
    const rows = (prepared[name]?.all() ?? []) as T[];
    return new Map(rows.map((row) => [row.id, row]));
  };
  return () => ({
    transactions: all<TransactionView>('transactions'),
    attempts: all<AttemptView>('attempts'),
    receipts: all<ReceiptView>('receipts'),
    events: all<EventView>('events'),
    deliveries: all<DeliveryView>('deliveries'),
    notes: all<NoteView>('notes'),
    holds: new Set(holds.all() as string[]),
  });
}
