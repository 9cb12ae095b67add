import { prepared, type Storage } from './storage.ts';

export interface Activation {
  backofficeKey: string;
  /** `MBWAY`, `MB` or five digits. */
  entity: string;
  /** The method key. */
  subEntity: string;
  antiPhishingKey: string;
  url: string;
  activatedAt: number;
}

/** What the callback says: the truth, or one of the faults that a receiver must survive. */
export type Flavour = 'true' | 'wrong-amount' | 'bad-key';

export interface Callback {
  id: number;
  paymentId: number;
  flavour: Flavour;
  /** Attempts that have failed so far. */
  attempts: number;
}

/** Registers or replaces where the bank calls back for this method key. */
export function saveActivation(db: Storage, activation: Activation): void {
  prepared(
    db,
    `INSERT INTO activations (backoffice_key, entity, sub_entity, anti_phishing_key, url, activated_at)
     VALUES (@backofficeKey, @entity, @subEntity, @antiPhishingKey, @url, @activatedAt)
     ON CONFLICT DO UPDATE SET anti_phishing_key = excluded.anti_phishing_key, url = excluded.url,
       activated_at = excluded.activated_at`,
  ).run(activation);
}

/** The newest registration for a payment of this entity (`MBWAY` or five digits) and method key. */
export function findActivation(db: Storage, entity: string, subEntity: string): Activation | undefined {
  return prepared(
    db,
    `SELECT backoffice_key AS backofficeKey, entity, sub_entity AS subEntity, anti_phishing_key AS antiPhishingKey,
       url, activated_at AS activatedAt
     FROM activations WHERE sub_entity = ? AND entity IN (?, ?) ORDER BY activated_at DESC, rowid DESC LIMIT 1`,
  ).get(subEntity, entity, entity === 'MBWAY' ? 'MBWAY' : 'MB') as Activation | undefined;
}

export function insertCallback(db: Storage, paymentId: number, flavour: Flavour, dueAt: number): void {
  prepared(db, 'INSERT INTO callbacks (payment_id, flavour, attempts, due_at) VALUES (?, ?, 0, ?)').run(
    paymentId,
    flavour,
    dueAt,
  );
}

/** Takes at most `limit` due callbacks, the earliest first; they are being sent from here on. */
export function claimCallbacks(db: Storage, now: number, limit: number): Callback[] {
  const due = prepared(
    db,
    `SELECT id, payment_id AS paymentId, flavour, attempts FROM callbacks WHERE due_at <= ? ORDER BY due_at, id LIMIT ?`,
  ).all(now, limit) as Callback[];
  for (const callback of due)
    prepared(db, 'UPDATE callbacks SET due_at = NULL WHERE id = ?').run(callback.id);
  return due;
}

export function postponeCallback(db: Storage, id: number, attempts: number, dueAt: number): void {
  prepared(db, 'UPDATE callbacks SET attempts = ?, due_at = ? WHERE id = ?').run(attempts, dueAt, id);
}

export function removeCallback(db: Storage, id: number): void {
  prepared(db, 'DELETE FROM callbacks WHERE id = ?').run(id);
}

/** After a restart nothing is being sent: what was cut goes out again. */
export function reviveCallbacks(db: Storage, now: number): void {
  prepared(db, 'UPDATE callbacks SET due_at = ? WHERE due_at IS NULL').run(now);
}

export function nextCallbackAt(db: Storage): number | null {
  const row = prepared(db, 'SELECT min(due_at) AS at FROM callbacks').get();
  return (row as { at: number | null }).at;
}

/** How often the fault is still to happen. */
export function saveFault(db: Storage, mode: string, times: number): void {
  prepared(
    db,
    'INSERT INTO faults (mode, times) VALUES (?, ?) ON CONFLICT DO UPDATE SET times = excluded.times',
  ).run(mode, times);
}

/** Uses the fault up once; false when there is none left. */
export function consumeFault(db: Storage, mode: string): boolean {
  return (
    prepared(db, 'UPDATE faults SET times = times - 1 WHERE mode = ? AND times > 0').run(mode).changes === 1
  );
}
