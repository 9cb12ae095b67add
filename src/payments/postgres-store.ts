import { type Expression, sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { recordset, recordsOf } from '../db/recordset.ts';
import type { NewTransaction } from './store.ts';

const COLUMNS = {
  id: 'text',
  merchant_id: 'text',
  order_id: 'text',
  amount_cents: 'bigint',
  store_domain: 'text',
  customer: 'text',
  shipping_address: 'text',
  items: 'text',
  tracking: 'text',
  lead_id: 'text',
  created_at: 'bigint',
  deadline_at: 'bigint',
} as const satisfies Record<keyof NewTransaction, string>;
const NAMES = Object.keys(COLUMNS) as (keyof NewTransaction)[];

/** Does what `insertTransaction` does for many rows. */
export async function insertRecords(tx: Tx, rows: readonly NewTransaction[]): Promise<void> {
  await insertAll(tx, { records: recordsOf(rows) });
}

const insertAll = prepared((db, { records }: { records: string }) =>
  db
    .insertInto('transactions')
    .columns([...NAMES, 'status', 'held', 'events_count'])
    .expression(
      sql`select ${sql.join(NAMES.map((name) => sql.ref(name)))}, 'pending', 0, 0
        from ${recordset(db, records, COLUMNS)}` as Expression<never>,
    ),
);
