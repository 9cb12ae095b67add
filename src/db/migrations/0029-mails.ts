import { type Kysely, sql } from 'kysely';

/** The outbox of mail. It only adds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mails')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('entity', 'text', (c) => c.notNull())
    .addColumn('reader', 'text', (c) => c.notNull())
    .addColumn('link', 'text')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('attempts_count', 'integer', (c) => c.notNull())
    .addColumn('due_at', 'bigint')
    .addColumn('planned_at', 'bigint', (c) => c.notNull())
    .addColumn('finished_at', 'bigint')
    .addColumn('error', 'text')
    .addUniqueConstraint('mails_once', ['kind', 'entity', 'reader'])
    .execute();
  await sql`create index mails_due on mails (due_at) where due_at is not null`.execute(db);
}
