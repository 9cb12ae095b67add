import { type Kysely, sql } from 'kysely';

/**
 * Replaces the indexes of the due deliveries of all merchants by ones that only a query over all merchants can read. PostgreSQL also read
 * the old ones for one merchant, and skipped over the rows of the others. Programs that know only the old ones sort what is due.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Dropping first: it takes the strongest lock, and a stronger one after a weaker one could deadlock with running transactions.
  await sql`drop index deliveries_oldest`.execute(db);
  await sql`drop index deliveries_recovery_oldest`.execute(db);
  await sql`create index if not exists deliveries_due_of_all on deliveries (next_attempt_at)
    where state = 'due' and blocked = 0 and created_at > 0`.execute(db);
  await sql`create index if not exists deliveries_recovery_due_of_all on deliveries (next_attempt_at)
    where state = 'due' and blocked = 2 and created_at > 0`.execute(db);
}
