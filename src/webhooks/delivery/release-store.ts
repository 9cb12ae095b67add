import { sql } from 'kysely';
import type { Queryable, Tx } from '../../db/database.ts';

// Literals, not parameters: a partial index is only chosen when the statement's text proves its condition.
const DUE = sql.lit('due' as const);
/** What `blocked` says of a delivery that may be sent: of a fresh event, of a recovery. */
const OPEN = [sql.lit(0 as const), sql.lit(2 as const)] as const;
/** A claim of a process that shows that it lives begins with its mark and a dot. */
const MARK = sql<string>`substr(claim_token, 1, 7)`;
const MARKED = sql<boolean>`substr(claim_token, 8, 1) = '.'`;

/** The marks of the claims that end between `now` and `until`. */
export async function claimMarks(db: Queryable, now: number, until: number): Promise<string[]> {
  const marks = new Set<string>();
  for (const open of OPEN) {
    const rows = await db
      .selectFrom('deliveries')
      .select(MARK.as('mark'))
      .distinct()
      .where('state', '=', DUE)
      .where('blocked', '=', open)
      .where('next_attempt_at', '>', now)
      .where('next_attempt_at', '<=', until)
      .where(MARKED)
      .execute();
    for (const { mark } of rows) marks.add(mark);
  }
  return [...marks];
}

/** Makes claimed deliveries due at `now`, without waiting for their lease: all, or what `marks` have claimed. Returns how many. */
export async function releaseClaims(tx: Tx, now: number, marks?: readonly string[]): Promise<number> {
  let released = 0;
  for (const open of OPEN) {
    const claimed = tx
      .updateTable('deliveries')
      .set({ next_attempt_at: now })
      .where('state', '=', DUE)
      .where('blocked', '=', open)
      .where('next_attempt_at', '>', now)
      .where('claim_token', 'is not', null);
    const query = marks === undefined ? claimed : claimed.where(MARKED).where(MARK, 'in', marks);
    released += Number((await query.executeTakeFirst()).numUpdatedRows);
  }
  return released;
}
