/** The sandbox's own schema. It is a simulator's file: a changed schema may simply start from an empty one. */
export const SCHEMA = `
CREATE TABLE IF NOT EXISTS pushes (
  id INTEGER PRIMARY KEY,
  request_id TEXT NOT NULL UNIQUE,
  mbway_key TEXT NOT NULL,
  order_id TEXT NOT NULL,
  amount_cents INTEGER NOT NULL,
  phone_number TEXT NOT NULL,
  description TEXT NOT NULL,
  -- pending, paid, rejected or declined; an expired push is a pending one whose window has passed
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- what a self-acting phone will still do, and when; a null instant waits for the create's answer to be sent
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
  -- the Lisbon reading of paid_at in sortable form: the bank compares wall-clock times, the repeated hour included
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
  -- null while it is being sent
  due_at INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS callbacks_by_due ON callbacks (due_at);

CREATE TABLE IF NOT EXISTS faults (
  mode TEXT PRIMARY KEY,
  times INTEGER NOT NULL
) STRICT;
`;
