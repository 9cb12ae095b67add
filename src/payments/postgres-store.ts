import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import { gathered } from '../db/gather.ts';
import { prepared } from '../db/prepared.ts';
import { namesOf, recordset, recordsOf, selectRecords } from '../db/recordset.ts';
import type { Id } from '../kernel/ids.ts';
import { ATTEMPTS_JOINED_MAX, type StatusJoined } from './status-row.ts';
import { NEW_COLUMNS, type NewTransaction } from './store.ts';

/** Inserts pending transactions in one statement. */
export async function insertRecords(tx: Tx, rows: readonly NewTransaction[]): Promise<void> {
  await insertAll(tx, { records: recordsOf(rows) });
}

const insertAll = prepared((db, { records }: { records: string }) =>
  db
    .insertInto('transactions')
    .columns([...namesOf(NEW_COLUMNS), 'status', 'held', 'events_count'])
    .expression(selectRecords(db, records, NEW_COLUMNS, sql.lit('pending'), sql.lit(0), sql.lit(0))),
);

/** A merchant's transaction id. */
interface Owned {
  readonly id: string;
  readonly owner: Id<'mer'>;
}

/** Reads the status rows for all calls of one event-loop turn in one query. */
export const statusTogether = gathered(
  (db, keys: readonly Owned[]) => statusOfOwners(db, { records: recordsOf(keys) }),
  ({ id, owner }) => `${id} ${owner}`,
  ({ id, owner }) => `${id} ${owner}`,
);

const statusOfOwners = prepared((db, { records }: { records: string }) => {
  const query = sql<StatusJoined & Owned>`
    select given.owner, t.id, t.order_id, t.status, t.held, t.amount_cents, t.paid_at, t.paid_method, t.paid_attempt_id,
      t.shown_attempt_id, a.id as attempt_id, a.state, a.accepted, a.method, a.entity, a.reference, a.expires_at
    from ${recordset(db, records, { id: 'text', owner: 'text' })}
    join transactions as t on t.id = given.id and t.merchant_id = given.owner
    left join lateral (
      select * from attempts where attempts.transaction_id = t.id and attempts.merchant_id = given.owner
      order by attempts.id desc limit ${sql.lit(ATTEMPTS_JOINED_MAX)}
    ) as a on true
    order by a.id desc`;
  return { compile: () => query.compile(db) };
});
