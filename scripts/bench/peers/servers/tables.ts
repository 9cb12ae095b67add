import { createHash, randomBytes } from 'node:crypto';
import Sqlite from 'better-sqlite3';
import type { StatusOutput } from './order.ts';

/** The one merchant whom the peers know. */
export const MERCHANT = 'mer_bench';

export interface TransactionRow {
  id: string;
  merchant_id: string;
  order_id: string;
  amount_cents: number;
  status: string;
  paid_at: number | null;
  paid_method: string | null;
  store_domain: string;
  customer: string | null;
  items: string | null;
  tracking: string | null;
  lead_id: string | null;
  created_at: number;
}

/** A new database with the peers' tables and their merchant, as durable as ours. Takes BENCH_FILE, BENCH_KEY and BENCH_DOMAIN. */
export function openTables(): Sqlite.Database {
  const db = new Sqlite(process.env.BENCH_FILE ?? '');
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  db.exec(`
    create table merchants (id text primary key not null, key_hash text not null unique, first_paid_at integer);
    create table store_domains (merchant_id text not null references merchants (id), domain text not null, primary key (merchant_id, domain));
    create table leads (
      id text primary key not null, merchant_id text not null references merchants (id), identity text not null,
      email text, phone text, name text, first_seen_at integer not null, last_seen_at integer not null,
      orders_count integer not null, asked_cents integer not null, items text, tracking text,
      unique (merchant_id, identity)
    );
    create table transactions (
      id text primary key not null, merchant_id text not null references merchants (id), order_id text not null,
      amount_cents integer not null, status text not null, paid_at integer, paid_method text, store_domain text not null,
      customer text, items text, tracking text, lead_id text, created_at integer not null
    );
    create index transactions_merchant on transactions (merchant_id, id);`);
  db.prepare('insert into merchants values (?, ?, null)').run(MERCHANT, hashOf(process.env.BENCH_KEY ?? ''));
  db.prepare('insert into store_domains values (?, ?)').run(MERCHANT, process.env.BENCH_DOMAIN ?? '');
  return db;
}

export function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** The key in an Authorization header; empty when there is none. */
export function keyOf(authorization: string | undefined): string {
  return /^Bearer (.+)$/i.exec(authorization ?? '')?.[1] ?? '';
}

let made = 0;

/** Ids that sort by time, as ours do. */
export function newId(prefix: 'tx' | 'led'): string {
  made += 1;
  return `${prefix}_${Date.now().toString(36)}${String(made).padStart(9, '0')}${randomBytes(8).toString('hex')}`;
}

export function statusOf(
  row: Pick<TransactionRow, 'id' | 'order_id' | 'status' | 'amount_cents' | 'paid_at' | 'paid_method'>,
): StatusOutput {
  return {
    transactionId: row.id,
    externalOrderId: row.order_id,
    status: row.status,
    paymentMethod: row.paid_method,
    amount: row.amount_cents / 100,
    currency: 'EUR',
    paidAt: row.paid_at === null ? null : new Date(row.paid_at).toISOString(),
  };
}
