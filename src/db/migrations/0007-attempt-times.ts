import { type Kysely, sql } from 'kysely';

/**
 * When the bank accepted an attempt, when and why it ended, and a way from a transaction to the audit log. It only adds: of the
 * attempts there are, these instants are not known.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('attempts').addColumn('accepted_at', 'bigint').execute();
  await db.schema.alterTable('attempts').addColumn('ended_at', 'bigint').execute();
  await db.schema.alterTable('attempts').addColumn('end_reason', 'text').execute();
  await sql`create index audit_log_target on audit_log (target, id) where target is not null`.execute(db);
}
