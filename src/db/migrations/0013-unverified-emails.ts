import type { Kysely } from 'kysely';

/** Whether an account came from an invitation, whose link the inviter could have used. It only adds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('unverified', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
}
