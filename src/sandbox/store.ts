import type { Cents } from '../kernel/money.ts';
import { prepared, type Storage } from './storage.ts';

export type PushState = 'pending' | 'paid' | 'rejected' | 'declined';
export type CustomerAct = 'accept' | 'reject' | 'decline';

export interface Push {
  id: number;
  requestId: string;
  mbwayKey: string;
  orderId: string;
  amount: Cents;
  phoneNumber: string;
  description: string;
  state: PushState;
  createdAt: number;
  updatedAt: number;
  action: CustomerAct | null;
  /** Null while `action` waits for the answer to the create. */
  actionAt: number | null;
}

export interface Reference {
  entity: string;
  reference: string;
  requestId: string;
  mbKey: string;
  orderId: string;
  amount: Cents;
  /** `dd-MM-yyyy`, empty when it never expires. */
  expiryDate: string;
  createdAt: number;
}

export interface Payment {
  id: number;
  entity: string;
  subEntity: string;
  reference: string;
  orderId: string;
  requestId: string;
  amount: Cents;
  refunded: Cents;
  paidAt: number;
  /** `yyyy-MM-dd HH:mm:ss` in Lisbon. */
  paidLocal: string;
}

const PUSH = `SELECT id, request_id AS requestId, mbway_key AS mbwayKey, order_id AS orderId, amount_cents AS amount,
  phone_number AS phoneNumber, description, state, created_at AS createdAt, updated_at AS updatedAt, action,
  action_at AS actionAt FROM pushes`;

const REFERENCE = `SELECT entity, reference, request_id AS requestId, mb_key AS mbKey, order_id AS orderId,
  amount_cents AS amount, expiry_date AS expiryDate, created_at AS createdAt FROM multibanco_references`;

const PAYMENT = `SELECT id, entity, sub_entity AS subEntity, reference, order_id AS orderId, request_id AS requestId,
  amount_cents AS amount, refunded_cents AS refunded, paid_at AS paidAt, paid_local AS paidLocal FROM payments`;

/** Runs `work` as one all-or-nothing change of the file. */
export function atomically<T>(db: Storage, work: () => T): T {
  return db.transaction(work).immediate();
}

/** Inserts a push; its id, or null when the request id is taken. */
export function insertPush(db: Storage, push: Omit<Push, 'id'>): number | null {
  const result = prepared(
    db,
    `INSERT INTO pushes (request_id, mbway_key, order_id, amount_cents, phone_number, description, state, created_at,
       updated_at, action, action_at)
     VALUES (@requestId, @mbwayKey, @orderId, @amount, @phoneNumber, @description, @state, @createdAt, @updatedAt,
       @action, @actionAt) ON CONFLICT DO NOTHING`,
  ).run(push);
  return result.changes === 1 ? Number(result.lastInsertRowid) : null;
}

export function pushById(db: Storage, id: number): Push | undefined {
  return prepared(db, `${PUSH} WHERE id = ?`).get(id) as Push | undefined;
}

export function pushByRequest(db: Storage, requestId: string): Push | undefined {
  return prepared(db, `${PUSH} WHERE request_id = ?`).get(requestId) as Push | undefined;
}

/** Newest first, of one phone or of all. */
export function recentPushes(db: Storage, phoneNumber: string | null, limit: number): Push[] {
  if (phoneNumber === null) {
    return prepared(db, `${PUSH} ORDER BY id DESC LIMIT ?`).all(limit) as Push[];
  }
  return prepared(db, `${PUSH} WHERE phone_number = ? ORDER BY id DESC LIMIT ?`).all(
    phoneNumber,
    limit,
  ) as Push[];
}

/** The newest push of the phone that still waits and was made after `after`. */
export function newestOpenPush(db: Storage, phoneNumber: string, after: number): Push | undefined {
  return prepared(
    db,
    `${PUSH} WHERE phone_number = ? AND state = 'pending' AND created_at > ? ORDER BY id DESC LIMIT 1`,
  ).get(phoneNumber, after) as Push | undefined;
}

/** Moves a pending push to its final state and forgets what its phone would have done; false when it was final. */
export function closePush(db: Storage, id: number, state: PushState, at: number): boolean {
  return (
    prepared(
      db,
      `UPDATE pushes SET state = ?, updated_at = ?, action = NULL, action_at = NULL WHERE id = ? AND state = 'pending'`,
    ).run(state, at, id).changes === 1
  );
}

/** Pushes whose phone acts by `now`, the earliest first. */
export function dueActions(db: Storage, now: number, limit: number): Push[] {
  return prepared(
    db,
    `${PUSH} WHERE action IS NOT NULL AND action_at <= ? ORDER BY action_at, id LIMIT ?`,
  ).all(now, limit) as Push[];
}

export function nextActionAt(db: Storage): number | null {
  const row = prepared(db, 'SELECT min(action_at) AS at FROM pushes WHERE action IS NOT NULL').get();
  return (row as { at: number | null }).at;
}

/** After a restart no answer is on its way any more: actions that waited for one are due. */
export function releaseWaitingActions(db: Storage, now: number): void {
  prepared(db, 'UPDATE pushes SET action_at = ? WHERE action IS NOT NULL AND action_at IS NULL').run(now);
}

/** False when the reference or the request id is taken. */
export function insertReference(db: Storage, reference: Reference): boolean {
  return (
    prepared(
      db,
      `INSERT INTO multibanco_references (entity, reference, request_id, mb_key, order_id, amount_cents, expiry_date,
         created_at)
       VALUES (@entity, @reference, @requestId, @mbKey, @orderId, @amount, @expiryDate, @createdAt)
       ON CONFLICT DO NOTHING`,
    ).run(reference).changes === 1
  );
}

export function findReference(db: Storage, entity: string, reference: string): Reference | undefined {
  return prepared(db, `${REFERENCE} WHERE entity = ? AND reference = ?`).get(entity, reference) as
    | Reference
    | undefined;
}

/** Adds a row to the bank's record; its id. */
export function insertPayment(db: Storage, payment: Omit<Payment, 'id' | 'refunded'>): number {
  const result = prepared(
    db,
    `INSERT INTO payments (entity, sub_entity, reference, order_id, request_id, amount_cents, paid_at, paid_local)
     VALUES (@entity, @subEntity, @reference, @orderId, @requestId, @amount, @paidAt, @paidLocal)`,
  ).run(payment);
  return Number(result.lastInsertRowid);
}

export function paymentById(db: Storage, id: number): Payment | undefined {
  return prepared(db, `${PAYMENT} WHERE id = ?`).get(id) as Payment | undefined;
}

/** Each is an exact match; the two times are Lisbon readings in sortable form, both inclusive. */
export interface PaymentFilter {
  entity?: string;
  /** Any Multibanco entity. */
  anyReference?: boolean;
  subEntity?: string;
  reference?: string;
  orderId?: string;
  requestId?: string;
  amount?: Cents;
  fromLocal?: string;
  toLocal?: string;
}

// The wire names no owner of a method key: a backoffice key sees what was activated under it and what nobody claims.
const VISIBLE = `(sub_entity IN (SELECT sub_entity FROM activations WHERE backoffice_key = @backofficeKey)
  OR sub_entity NOT IN (SELECT sub_entity FROM activations))`;

const CONDITIONS: Record<keyof PaymentFilter, string> = {
  entity: 'entity = @entity',
  anyReference: `entity <> 'MBWAY'`,
  subEntity: 'sub_entity = @subEntity',
  reference: 'reference = @reference',
  orderId: 'order_id = @orderId',
  requestId: 'request_id = @requestId',
  amount: 'amount_cents = @amount',
  fromLocal: 'paid_local >= @fromLocal',
  toLocal: 'paid_local <= @toLocal',
};

/** The rows of the record that the backoffice key may see, newest first. */
export function listPayments(
  db: Storage,
  backofficeKey: string,
  filter: PaymentFilter,
  limit: number,
): Payment[] {
  const { anyReference, ...values } = filter;
  const used = (Object.keys(CONDITIONS) as (keyof PaymentFilter)[]).filter(
    (key) => filter[key] !== undefined,
  );
  const where = [VISIBLE, ...used.map((key) => CONDITIONS[key])].join(' AND ');
  const sql = `${PAYMENT} WHERE ${where} ORDER BY id DESC LIMIT @limit`;
  return prepared(db, sql).all({ ...values, backofficeKey, limit }) as Payment[];
}

/** Books a refund; false when less than `amount` is left of the payment. */
export function refundPayment(db: Storage, id: number, amount: Cents): boolean {
  return (
    prepared(
      db,
      'UPDATE payments SET refunded_cents = refunded_cents + @amount WHERE id = @id AND refunded_cents + @amount <= amount_cents',
    ).run({ id, amount }).changes === 1
  );
}
