import type { Kysely } from 'kysely';

/** The language in which a user reads mail. It only adds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('language', 'text').execute();
}
