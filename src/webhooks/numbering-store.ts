import { sql } from 'kysely';
import type { Queryable, Tx } from '../db/database.ts';
import { queryWithRows } from '../db/list-queries.ts';
import { prepared } from '../db/prepared.ts';
import { recordset, selectRecords } from '../db/recordset.ts';
import { lockNumber } from '../db/row-locks.ts';
import type { Id } from '../kernel/ids.ts';

/** Whether a committed event has no sequence number yet. */
export async function isAnyUnnumbered(db: Queryable): Promise<boolean> {
  return (await firstUnnumbered(db, {})).length > 0;
}

/** Events that `unnumberedEvents` returns at most. */
export const UNNUMBERED_MAX = 256;

const firstUnnumbered = prepared((db) => unnumbered(db, 1));
/** Returns the committed events without a sequence number in commit order, at most `UNNUMBERED_MAX`. */
export const unnumberedEvents = prepared((db) => unnumbered(db, UNNUMBERED_MAX));

function unnumbered(db: Queryable, limit: number) {
  return (
    db
      .selectFrom('events')
      .select(['id', 'merchant_id'])
      .where('sequence', 'is', null)
      .where('position', '>=', 0)
      .orderBy('position')
      .orderBy('id')
      // A literal: SQLite prepares a statement again whenever a parameter is bound to its limit.
      .limit(sql.lit(limit))
  );
}

/** An arbitrary number that must never change. */
const NUMBERING_LOCK = 7_206_519_342;

/** Waits until no other process numbers events, until the end of the database transaction. */
export async function lockNumbering(tx: Tx): Promise<void> {
  await lockNumber(tx, NUMBERING_LOCK);
}

/** A merchant's last number. */
interface Counter {
  merchant_id: Id<'mer'>;
  last_sequence: number;
}

/** Reserves the next `count` numbers of each merchant. Resolves to the last one of each. */
export async function takeNumbers(
  tx: Tx,
  counts: readonly { merchantId: Id<'mer'>; count: number }[],
): Promise<Map<Id<'mer'>, number>> {
  const rows = await taken(
    tx,
    counts.map(({ merchantId, count }) => ({ merchant_id: merchantId, last_sequence: count })),
  );
  return new Map(rows.map((row) => [row.merchant_id, row.last_sequence]));
}

const COUNTER_COLUMNS = { merchant_id: 'text', last_sequence: 'bigint' } as const;

const taken = queryWithRows<Counter, Counter>((db, records) =>
  db
    .insertInto('event_counters')
    .columns(['merchant_id', 'last_sequence'])
    .expression(selectRecords(db, records, COUNTER_COLUMNS))
    .onConflict((conflict) =>
      conflict.column('merchant_id').doUpdateSet((eb) => ({
        last_sequence: eb('event_counters.last_sequence', '+', eb.ref('excluded.last_sequence')),
      })),
    )
    .returning(['merchant_id', 'last_sequence']),
);

/** Writes sequence numbers to events that have none. Resolves to how many it wrote. */
export async function writeNumbers(tx: Tx, numbers: readonly Numbered[]): Promise<number> {
  return (await written(tx, numbers)).length;
}

interface Numbered {
  id: Id<'evt'>;
  merchant_id: Id<'mer'>;
  sequence: number;
}

// With "is null", PostgreSQL could search the index of unnumbered events for each event.
const written = queryWithRows<Numbered, { id: string }>((db, records) => {
  const update = sql<{ id: string }>`
    update events set sequence = given.sequence
    from ${recordset(db, records, { id: 'text', merchant_id: 'text', sequence: 'bigint' })}
    where events.id = given.id and events.merchant_id = given.merchant_id and coalesce(events.sequence, 0) = 0
    returning events.id`;
  return { compile: () => update.compile(db) };
});
