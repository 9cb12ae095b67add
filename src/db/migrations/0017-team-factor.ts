import type { Kysely } from 'kysely';

/** Since when a merchant's team must use two-factor authentication. It only adds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('merchants').addColumn('team_factor_at', 'bigint').execute();
}
