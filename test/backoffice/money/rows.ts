import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { Database } from '../../../src/db/database.ts';
import { openDatabase } from '../../../src/db/open.ts';
import { createIds, type IdSource } from '../../../src/kernel/ids.ts';
import type { Cents } from '../../../src/kernel/money.ts';
import { temporaryFolder, type WhenOver } from '../../support/database.ts';

export const A = 'mer_a' as const;
const B = 'mer_b' as const;
/** Noon in Lisbon's winter. */
export const START = Date.UTC(2026, 0, 10, 12);

export interface Books {
  db: Database;
  file: string;
  ids: IdSource;
  /** Writes rows directly, in one transaction. */
  write(work: (pen: Pen) => void): void;
}

export interface Sale {
  merchant?: string;
  at?: number;
  /** When it was paid or held; by default when it was created. */
  paidAt?: number;
  order?: string;
  cents?: number;
  status?: 'pending' | 'paid' | 'failed' | 'cancelled';
  held?: 0 | 1;
  email?: string;
  name?: string;
  push?: string;
  reference?: [entity: string, reference: string];
  flags?: readonly ('late' | 'duplicate' | 'under' | 'over')[];
  settled?: boolean;
}

export interface Pen {
  sale(sale: Sale): string;
}

/** A database with two merchants, and a way to write rows that is faster than the service. */
export async function openBooks(whenOver?: WhenOver): Promise<Books> {
  const file = join(temporaryFolder(whenOver), 'service.db');
  const db = await openDatabase(`sqlite:${file}`);
  whenOver?.(() => db.close());
  let now = START;
  let drawn = 0;
  const ids = createIds(
    { now: () => now, after: () => () => {}, deadline: () => new AbortController().signal } as never,
    (size) => Buffer.alloc(size, ++drawn % 251),
  );
  const handle = new Sqlite(file);
  whenOver?.(() => {
    handle.close();
  });
  handle.exec(`
    insert into merchants (id, name, active, hold, webhook_enabled, webhook_secret, created_at)
      values ('${A}', 'A', 1, 0, 0, 's', 1), ('${B}', 'B', 1, 0, 0, 's', 1);
    insert into bank_accounts (id, current, credentials, created_at) values ('acc_1', 1, 'encrypted', 1)`);
  const statements = prepared(handle);
  const pen: Pen = {
    sale(sale) {
      now = sale.at ?? now + 1000;
      return writeSale(statements, ids, now, sale);
    },
  };
  return {
    db,
    file,
    ids,
    write(work) {
      handle.exec('begin');
      work(pen);
      handle.exec('commit');
    },
  };
}

function prepared(handle: Sqlite.Database) {
  return {
    lead: handle.prepare(`
      insert into leads (id, merchant_id, identity, email, first_seen_at, last_seen_at, orders_count, asked_cents, paid_count, paid_cents)
      values (?, ?, ?, ?, 1, 1, 1, 1, 0, 0)
      on conflict (merchant_id, identity) do update set orders_count = orders_count + 1 returning id`),
    transaction: handle.prepare(`
      insert into transactions (id, merchant_id, order_id, amount_cents, status, held, paid_at, paid_method, paid_attempt_id, store_domain, customer, lead_id, created_at, events_count)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, 'shop.pt', ?, ?, ?, 0)`),
    attempt: handle.prepare(`
      insert into attempts (id, transaction_id, merchant_id, account_id, method, state, amount_cents, bank_order_id, phone_number, entity, reference, created_at, accepted, silent_count, clear_reads)
      values (?, ?, ?, 'acc_1', ?, ?, ?, ?, ?, ?, ?, ?, 1, 0, 0)`),
    receipt: handle.prepare(`
      insert into receipts (id, identity, transaction_id, merchant_id, account_id, amount_cents, paid_at, recorded_at, late, duplicate, under, over, unmatched, record, settlement)
      values (?, ?, ?, ?, 'acc_1', ?, ?, ?, ?, ?, ?, ?, 0, '{}', ?)`),
  };
}

function writeSale(into: ReturnType<typeof prepared>, ids: IdSource, now: number, sale: Sale): string {
  const { merchant = A, order = 'ORDER', cents = 1999 as Cents, status = 'pending', held = 0 } = sale;
  const id = ids('tx');
  const method = sale.push !== undefined ? 'MBWAY' : sale.reference ? 'REFERENCE' : null;
  const attempt = method === null ? null : ids('att');
  const email = sale.email ?? null;
  const lead =
    email === null
      ? null
      : (into.lead.get(ids('led'), merchant, `email:${email}`, email) as { id: string }).id;
  const settled = status === 'paid' || held === 1;
  const customer =
    email === null && sale.name === undefined
      ? null
      : JSON.stringify({ name: sale.name, email: email ?? undefined });
  into.transaction.run(
    ...[
      id,
      merchant,
      order,
      cents,
      status,
      held,
      settled ? (sale.paidAt ?? now) : null,
      settled ? method : null,
    ],
    ...[settled ? attempt : null, customer, lead, now],
  );
  if (attempt !== null) {
    const state = settled ? 'paid' : status === 'pending' ? 'open' : 'lapsed';
    into.attempt.run(
      ...[attempt, id, merchant, method, state, cents, attempt, sale.push ?? null],
      ...[sale.reference?.[0] ?? null, sale.reference?.[1] ?? null, now],
    );
  }
  if (sale.flags) {
    const flags = (['late', 'duplicate', 'under', 'over'] as const).map((flag) =>
      sale.flags?.includes(flag) ? 1 : 0,
    );
    const receipt = ids('rcp');
    into.receipt.run(
      receipt,
      receipt,
      id,
      merchant,
      cents,
      now,
      now,
      ...flags,
      sale.settled ? 'returned' : null,
    );
  }
  return id;
}
