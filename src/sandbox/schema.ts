import type { Cents } from '../kernel/money.ts';

export type PushState = 'pending' | 'paid' | 'rejected' | 'declined';
export type CustomerAct = 'accept' | 'reject' | 'decline';

export interface Push {
  id: number;
  request_id: string;
  mbway_key: string;
  order_id: string;
  amount_cents: Cents;
  phone_number: string;
  description: string;
  state: PushState;
  created_at: number;
  updated_at: number;
  action: CustomerAct | null;
  action_at: number | null;
}

export interface Reference {
  entity: string;
  reference: string;
  request_id: string;
  mb_key: string;
  order_id: string;
  amount_cents: Cents;
  /** `dd-MM-yyyy`, or empty without expiry. */
  expiry_date: string;
  created_at: number;
}

export interface Payment {
  id: number;
  /** `MBWAY` or five digits. */
  entity: string;
  sub_entity: string;
  reference: string;
  order_id: string;
  request_id: string;
  amount_cents: Cents;
  refunded_cents: Cents;
  paid_at: number;
  /** `yyyy-MM-dd HH:mm:ss` in Lisbon. */
  paid_local: string;
}

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

export interface Callback {
  id: number;
  payment_id: number;
  flavour: Flavour;
  /** Failed attempts. */
  attempts: number;
}

/** The schema of the sandbox's own file. */
export const SCHEMA = `
CREATE TABLE IF NOT EXISTS pushes (
  id INTEGER PRIMARY KEY,
  request_id TEXT NOT NULL UNIQUE,
  mbway_key TEXT NOT NULL,
  order_id TEXT NOT NULL,
  amount_cents INTEGER NOT NULL,
  phone_number TEXT NOT NULL,
  description TEXT NOT NULL,
  -- pending, paid, rejected or declined; a pending push whose window has passed counts as expired
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
  -- true, wrong-amount or bad-key
  flavour TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  -- null while it is sent
  due_at INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS callbacks_by_due ON callbacks (due_at);

CREATE TABLE IF NOT EXISTS faults (
  mode TEXT PRIMARY KEY,
  times INTEGER NOT NULL
) STRICT;
`;
