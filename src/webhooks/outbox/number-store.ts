import { sql } from 'kysely';
import type { Queryable, Tx } from '../../db/database.ts';
import type { Id } from '../../kernel/ids.ts';

/** An event that waits for its number. */
export interface Unnumbered {
  id: Id<'evt'>;
  merchant_id: Id<'mer'>;
}

/** The committed events that have no number yet, in the order of their commits. */
export async function unnumberedEvents(db: Queryable, limit: number): Promise<Unnumbered[]> {
  return await db
    .selectFrom('events')
    .select(['id', 'merchant_id'])
    .where('sequence', 'is', null)
    .where('position', '>=', 0)
    .orderBy('position')
    .orderBy('id')
    // A literal: bound to a parameter, SQLite prepares the statement anew each time.
    .limit(sql.lit(limit))
    .execute();
}

/** Takes the next `count` numbers of each merchant; resolves to the last one of each. Whoever else numbers waits here. */
export async function takeNumbers(
  tx: Tx,
  counts: readonly { merchantId: Id<'mer'>; count: number }[],
): Promise<Map<Id<'mer'>, number>> {
  const rows = await tx
    .insertInto('event_counters')
    .values(counts.map(({ merchantId, count }) => ({ merchant_id: merchantId, last_sequence: count })))
    .onConflict((conflict) =>
      conflict.column('merchant_id').doUpdateSet((eb) => ({
        last_sequence: eb('event_counters.last_sequence', '+', eb.ref('excluded.last_sequence')),
      })),
    )
    .returning(['merchant_id', 'last_sequence'])
    .execute();
  return new Map(rows.map((row) => [row.merchant_id, Number(row.last_sequence)]));
}

/** Writes numbers; an event that has one keeps it. Resolves to how many were written. */
export async function writeNumbers(
  tx: Tx,
  numbers: readonly { id: Id<'evt'>; sequence: number }[],
): Promise<number> {
  const values = sql.join(numbers.map(({ id, sequence }) => sql`(${id}, ${sequence})`));
  const { numAffectedRows } = await sql`
    update events set sequence = cast(given.column2 as bigint)
    from (values ${values}) as given
    where events.id = given.column1 and events.sequence is null`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
