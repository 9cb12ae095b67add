import { type Kysely, sql } from 'kysely';

/**
 * What the delivery log is read by: a merchant's deliveries, newest first; and, because they may be far apart among all the
 * others, the ones that ended in vain and the tests. Nothing here is written again when a delivery succeeds.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index deliveries_log on deliveries (merchant_id, id)`.execute(db);
  await sql`create index deliveries_log_missed on deliveries (merchant_id, state, id) where state in ('undelivered', 'skipped')`.execute(
    db,
  );
  await sql`create index deliveries_log_tests on deliveries (merchant_id, id) where kind = 'webhook.test'`.execute(
    db,
  );
}
