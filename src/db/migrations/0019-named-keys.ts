import type { Kysely } from 'kysely';

/** The name of an API key in addition to the account's main key, which has none. It only adds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('name', 'text').execute();
}
