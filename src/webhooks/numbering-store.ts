import { sql } from 'kysely';
import { queryWithRows } from '../db/list-queries.ts';
import { preparedWith } from '../db/prepared.ts';
import { recordset, selectRecords } from '../db/recordset.ts';
import type { EventCounterTable, EventTable } from '../db/tables/webhooks.ts';

/** Returns at most `limit` committed events without a sequence number in commit order. */
export const unnumberedEvents = preparedWith((db, _values: object, limit: number) =>
  db
    .selectFrom('events')
    .select(['id', 'merchant_id'])
    .where('sequence', 'is', null)
    .where('position', '>=', 0)
    .orderBy('position')
    .orderBy('id')
    // A literal: for a limit that is a parameter, PostgreSQL plans to return a tenth of the rows.
    .limit(sql.lit(limit)),
);

const COUNTER_COLUMNS = { merchant_id: 'text', last_sequence: 'bigint' } as const;

/** Adds `last_sequence` to the last number of each merchant. Resolves to the new ones. */
export const takeNumbers = queryWithRows<EventCounterTable, EventCounterTable>((db, records) =>
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

type Numbered = Pick<EventTable, 'id' | 'merchant_id' | 'sequence'>;

/** Writes sequence numbers to events that have none. Resolves to those that it wrote. */
// With "is null", PostgreSQL could search the index of unnumbered events for each event.
export const writeNumbers = queryWithRows<Numbered, { id: string }>(
  (db, records) => sql<{ id: string }>`
    update events set sequence = given.sequence
    from ${recordset(db, records, { id: 'text', merchant_id: 'text', sequence: 'bigint' })}
    where events.id = given.id and events.merchant_id = given.merchant_id and coalesce(events.sequence, 0) = 0
    returning events.id`,
);
