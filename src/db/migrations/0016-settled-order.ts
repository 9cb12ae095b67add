import { type Kysely, sql } from 'kysely';

/** The resolved cases by the time they were resolved, over all and by merchant. It only adds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, columns] of [
    ['receipts_settled_at', 'settled_at, id'],
    ['receipts_settled_at_merchant', 'merchant_id, settled_at, id'],
  ] as const) {
    await sql`create index if not exists ${sql.id(name)} on receipts (${sql.raw(columns)}) where settlement is not null`.execute(
      db,
    );
  }
}
