import { join } from 'node:path';
import type { Database } from '../../../src/db/database.ts';
import { openDatabase } from '../../../src/db/open.ts';
import { createIds, type Id, type IdSource } from '../../../src/kernel/ids.ts';
import { ORDER_FLAGS } from '../../../src/kernel/payment-enums.ts';
import { temporaryFolder, type WhenOver } from '../../support/database.ts';
import { insertRows } from '../../support/rows.ts';

export const A = 'mer_a' as const;
/** Noon in Lisbon's winter. */
export const START = Date.UTC(2026, 0, 10, 12);

export interface Books {
  db: Database;
  file: string;
  /** Writes rows directly, which is faster than the service. */
  write(work: (pen: Pen) => void): Promise<void>;
}

export interface Sale {
  at?: number;
  /** When it was paid or held; by default when it was created. */
  paidAt?: number;
  order?: string;
  status?: 'pending' | 'paid' | 'failed' | 'cancelled';
  held?: 0 | 1;
  /** Of a customer without other orders. */
  email?: string;
  push?: string;
  reference?: [entity: string, reference: string];
  flags?: readonly (typeof ORDER_FLAGS)[number][];
  settled?: boolean;
}

export interface Pen {
  sale(sale: Sale): Id<'tx'>;
}

/** A database with a merchant. */
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
  await insertRows(db, 'merchants', { id: A, name: 'A' });
  await insertRows(db, 'bank_accounts', { id: 'acc_1', current: 1 });
  return {
    db,
    file,
    async write(work) {
      const written: ReturnType<typeof rowsOf>[] = [];
      work({
        sale(sale) {
          now = sale.at ?? now + 1000;
          const rows = rowsOf(ids, now, sale);
          written.push(rows);
          return rows.transaction.id;
        },
      });
      await insertRows(db, 'leads', ...written.flatMap(({ leads }) => leads));
      await insertRows(db, 'transactions', ...written.map(({ transaction }) => transaction));
      await insertRows(db, 'attempts', ...written.flatMap(({ attempts }) => attempts));
      await insertRows(db, 'receipts', ...written.flatMap(({ receipts }) => receipts));
    },
  };
}

function rowsOf(ids: IdSource, now: number, sale: Sale) {
  const {
    order = 'ORDER',
    status = 'pending',
    held = 0,
    email = null,
    push,
    reference,
    flags,
    paidAt = now,
  } = sale;
  const id = ids('tx');
  const of = { merchant_id: A, account_id: 'acc_1', transaction_id: id } as const;
  const isPaid = status === 'paid' || held === 1;
  const lead = { id: ids('led'), merchant_id: A, identity: `email:${id}`, email };
  const attempt = {
    ...of,
    id: ids('att'),
    method: push === undefined ? 'REFERENCE' : 'MBWAY',
    state: isPaid ? 'paid' : status === 'pending' ? 'open' : 'lapsed',
    bank_order_id: id,
    phone_number: push ?? null,
    entity: reference?.[0] ?? null,
    reference: reference?.[1] ?? null,
    created_at: now,
  } as const;
  const flagged = Object.fromEntries(ORDER_FLAGS.map((flag) => [flag, flags?.includes(flag) ? 1 : 0]));
  const settlement = sale.settled ? 'returned' : null;
  const times = { paid_at: now, recorded_at: now };
  const receipt = { ...of, ...flagged, ...times, id: ids('rcp'), identity: id, settlement } as const;
  const attempts = push !== undefined || reference !== undefined ? [attempt] : [];
  const payer = isPaid ? attempts[0] : undefined;
  const transaction = {
    id,
    merchant_id: A,
    order_id: order,
    status,
    held,
    paid_at: isPaid ? paidAt : null,
    paid_method: payer?.method ?? null,
    paid_attempt_id: payer?.id ?? null,
    customer: email === null ? null : JSON.stringify({ email }),
    lead_id: email === null ? null : lead.id,
    created_at: now,
  };
  return {
    transaction,
    leads: email === null ? [] : [lead],
    attempts,
    receipts: flags === undefined ? [] : [receipt],
  };
}
