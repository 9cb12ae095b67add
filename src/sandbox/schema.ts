import type { Acquirer } from '../kernel/acquirer.ts';
import type { Cents } from '../kernel/money.ts';

export type PushState = 'pending' | 'paid' | 'rejected' | 'declined' | 'expired';
/** `expire`: the window passes, which only EuPago announces. */
export type CustomerAct = 'accept' | 'reject' | 'decline' | 'expire';

export interface Push {
  id: number;
  acquirer: Acquirer;
  /** EuPago: the transaction id. */
  request_id: string;
  /** EuPago: the API key. */
  mbway_key: string;
  order_id: string;
  amount_cents: Cents;
  phone_number: string;
  description: string;
  /** The reference for EuPago's inquiry; empty at ifthenpay. */
  reference: string;
  state: PushState;
  created_at: number;
  updated_at: number;
  action: CustomerAct | null;
  action_at: number | null;
}

export interface Reference {
  entity: string;
  reference: string;
  acquirer: Acquirer;
  request_id: string;
  /** EuPago: the API key. */
  mb_key: string;
  order_id: string;
  amount_cents: Cents;
  /** `dd-MM-yyyy`, or empty without expiry. */
  expiry_date: string;
  created_at: number;
}

export interface Payment {
  id: number;
  acquirer: Acquirer;
  /** `MBWAY` or five digits. */
  entity: string;
  /** EuPago: the API key. */
  sub_entity: string;
  reference: string;
  order_id: string;
  /** EuPago: the payment's trid. */
  request_id: string;
  amount_cents: Cents;
  refunded_cents: Cents;
  paid_at: number;
  /** `yyyy-MM-dd HH:mm:ss` in Lisbon. */
  paid_local: string;
}

export interface Refund {
  id: number;
  payment_id: number;
  amount_cents: Cents;
  refunded_at: number;
  /** `dd-MM-yyyy HH:mm:ss` in Lisbon. */
  refunded_text: string;
}

/** The possible forms of a refund in the list, which the bank does not document; a test chooses one. */
export const REFUND_ROWS = ['unchanged', 'reduced', 'status', 'gone', 'negative', 'extra'] as const;
export type RefundRows = (typeof REFUND_ROWS)[number];

/** The callback address of a method key. */
export interface Activation {
  backoffice_key: string;
  /** `MBWAY`, `MB` or five digits. */
  entity: string;
  sub_entity: string;
  anti_phishing_key: string;
  url: string;
  activated_at: number;
}

/** Whether a callback is correct or has one of the simulated faults. */
export type Flavour = 'true' | 'wrong-amount' | 'bad-key';

/** A callback that is still to be sent. */
export interface Queued {
  id: number;
  flavour: Flavour;
  /** Failed attempts. */
  attempts: number;
}

export interface Callback extends Queued {
  payment_id: number;
  /** The announced refund; null when the payment itself is announced. */
  refund_id: number | null;
}

export interface EupagoAccount {
  api_key: string;
  client_id: string;
  client_secret: string;
  webhook_key: string;
  callback_url: string;
  /** 1: notifications are encrypted. */
  encrypts: 0 | 1;
  opened_at: number;
}

export interface EupagoNotification extends Queued {
  api_key: string;
  /** The JSON text before encryption. */
  body: string;
}

export interface Mail {
  id: number;
  recipient: string;
  kind: string | null;
  subject: string;
  body_text: string;
  body_html: string;
  created_at: number;
}

/** Columns that files of older versions lack. */
export const ADDED_COLUMNS = [
  { table: 'pushes', column: 'acquirer', definition: "TEXT NOT NULL DEFAULT 'ifthenpay'" },
  { table: 'pushes', column: 'reference', definition: "TEXT NOT NULL DEFAULT ''" },
  { table: 'multibanco_references', column: 'acquirer', definition: "TEXT NOT NULL DEFAULT 'ifthenpay'" },
  { table: 'callbacks', column: 'refund_id', definition: 'INTEGER' },
  { table: 'payments', column: 'acquirer', definition: "TEXT NOT NULL DEFAULT 'ifthenpay'" },
] as const;

export const SCHEMA = `
CREATE TABLE IF NOT EXISTS pushes (
  id INTEGER PRIMARY KEY,
  request_id TEXT NOT NULL UNIQUE,
  mbway_key TEXT NOT NULL,
  order_id TEXT NOT NULL,
  amount_cents INTEGER NOT NULL,
  phone_number TEXT NOT NULL,
  description TEXT NOT NULL,
  -- pending, paid, rejected, declined or expired; a pending push whose window has passed counts as expired
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- the planned action of a test phone; without an instant it happens once the create call is answered
  action TEXT,
  action_at INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS pushes_by_phone ON pushes (phone_number, id);
CREATE INDEX IF NOT EXISTS pushes_by_action ON pushes (action_at) WHERE action IS NOT NULL;

CREATE TABLE IF NOT EXISTS multibanco_references (
  reference TEXT PRIMARY KEY,
  entity TEXT NOT NULL,
  request_id TEXT NOT NULL UNIQUE,
  mb_key TEXT NOT NULL,
  order_id TEXT NOT NULL,
  amount_cents INTEGER NOT NULL,
  expiry_date TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS payments (
  id INTEGER PRIMARY KEY,
  -- MBWAY, or the five digits of the Multibanco entity
  entity TEXT NOT NULL,
  sub_entity TEXT NOT NULL,
  reference TEXT NOT NULL,
  order_id TEXT NOT NULL,
  request_id TEXT NOT NULL,
  amount_cents INTEGER NOT NULL,
  refunded_cents INTEGER NOT NULL DEFAULT 0,
  paid_at INTEGER NOT NULL,
  -- paid_at in Lisbon, sortable; the bank filters by wall-clock time, also in the repeated hour of October
  paid_local TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS payments_by_request ON payments (request_id);
CREATE INDEX IF NOT EXISTS payments_by_order ON payments (order_id);
CREATE INDEX IF NOT EXISTS payments_by_time ON payments (paid_local);

CREATE TABLE IF NOT EXISTS activations (
  backoffice_key TEXT NOT NULL,
  entity TEXT NOT NULL,
  sub_entity TEXT NOT NULL,
  anti_phishing_key TEXT NOT NULL,
  url TEXT NOT NULL,
  activated_at INTEGER NOT NULL,
  PRIMARY KEY (backoffice_key, entity, sub_entity)
) STRICT;
CREATE INDEX IF NOT EXISTS activations_by_method ON activations (sub_entity, entity);

CREATE TABLE IF NOT EXISTS callbacks (
  id INTEGER PRIMARY KEY,
  payment_id INTEGER NOT NULL REFERENCES payments (id),
  refund_id INTEGER,
  -- true, wrong-amount or bad-key
  flavour TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS callbacks_by_due ON callbacks (due_at);

CREATE TABLE IF NOT EXISTS refunds (
  id INTEGER PRIMARY KEY,
  payment_id INTEGER NOT NULL REFERENCES payments (id),
  amount_cents INTEGER NOT NULL,
  refunded_at INTEGER NOT NULL,
  refunded_text TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS refunds_by_payment ON refunds (payment_id);

CREATE TABLE IF NOT EXISTS settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS eupago_accounts (
  api_key TEXT PRIMARY KEY,
  client_id TEXT NOT NULL,
  client_secret TEXT NOT NULL,
  webhook_key TEXT NOT NULL,
  callback_url TEXT NOT NULL,
  encrypts INTEGER NOT NULL,
  opened_at INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS eupago_accounts_by_client ON eupago_accounts (client_id);

CREATE TABLE IF NOT EXISTS eupago_tokens (
  token TEXT PRIMARY KEY,
  client_id TEXT NOT NULL,
  lapses_at INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS eupago_notifications (
  id INTEGER PRIMARY KEY,
  api_key TEXT NOT NULL,
  body TEXT NOT NULL,
  -- true, wrong-amount or bad-key
  flavour TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS eupago_notifications_by_due ON eupago_notifications (due_at);

CREATE TABLE IF NOT EXISTS mails (
  id INTEGER PRIMARY KEY,
  -- as received, in lower case
  recipient TEXT NOT NULL,
  kind TEXT,
  subject TEXT NOT NULL,
  body_text TEXT NOT NULL,
  body_html TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS faults (
  mode TEXT PRIMARY KEY,
  times INTEGER NOT NULL
) STRICT;

-- An earlier version set due_at to null while it sent a callback.
UPDATE callbacks SET due_at = 0 WHERE due_at IS NULL;
UPDATE eupago_notifications SET due_at = 0 WHERE due_at IS NULL;
`;
