import type { Kysely } from 'kysely';

/** The newest change of a bank account that an operator has dismissed. It only adds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('bank_seen', 'text').execute();
}
