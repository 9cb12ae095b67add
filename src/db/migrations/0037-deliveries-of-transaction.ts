import { type Kysely, sql } from 'kysely';

/**
 * Limits the index of a transaction's due deliveries to queries that name a transaction. PostgreSQL read all due deliveries by
 * it when its statistics showed few.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index deliveries_lane`.execute(db);
  await sql`
    create index if not exists deliveries_of_transaction on deliveries (transaction_id, lane_position)
    where state = 'due' and transaction_id is not null`.execute(db);
}
