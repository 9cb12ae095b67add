import { type Kysely, sql } from 'kysely';

/** Passkeys of people, the challenges they answer, and the passkey that confirmed a session. It only adds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('passkeys')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('credential_id', 'text', (c) => c.notNull().unique())
    .addColumn('public_key', 'text', (c) => c.notNull())
    .addColumn('counter', 'bigint', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('used_at', 'bigint')
    .execute();
  await sql`create index passkeys_user on passkeys (user_id, id)`.execute(db);
  await db.schema
    .createTable('passkey_challenges')
    .addColumn('challenge_hash', 'text', (c) => c.primaryKey().notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('user_id', 'text', (c) => c.references('users.id').onDelete('cascade'))
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute();
  await sql`create index passkey_challenges_user on passkey_challenges (user_id) where user_id is not null`.execute(
    db,
  );
  await sql`create index passkey_challenges_expiry on passkey_challenges (expires_at)`.execute(db);
  await db.schema.alterTable('sessions').addColumn('passkey_id', 'text').execute();
}
