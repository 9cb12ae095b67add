import { type Kysely, sql } from 'kysely';

/** Checkout sessions, the pushes of their page, and the transactions that belong to a session. It only adds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('checkout_sessions')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('merchant_id', 'text', (c) => c.notNull().references('merchants.id'))
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('token', 'text', (c) => c.notNull())
    .addColumn('success_url', 'text')
    .addColumn('cancel_url', 'text')
    .addColumn('methods', 'text', (c) => c.notNull())
    .addColumn('locale', 'text', (c) => c.notNull())
    .addColumn('notice', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('checkout_pushes')
    .addColumn('attempt_id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('session_id', 'text', (c) => c.notNull().references('checkout_sessions.id'))
    .addColumn('phone_number', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await sql`create index checkout_pushes_session on checkout_pushes (session_id, created_at)`.execute(db);
  await sql`create index checkout_pushes_phone on checkout_pushes (phone_number, created_at)`.execute(db);
  await sql`create index checkout_pushes_age on checkout_pushes (created_at)`.execute(db);
  const columns = [
    ['session_id', 'text'],
    ['pending_until', 'bigint'],
    ['session_paid', 'integer'],
  ] as const;
  for (const [column, type] of columns) {
    await db.schema.alterTable('transactions').addColumn(column, type).execute();
  }
  await sql`create index if not exists transactions_session on transactions (session_id, id) where session_id is not null`.execute(
    db,
  );
  await sql`create unique index if not exists transactions_session_paid on transactions (session_id) where session_paid = 1`.execute(
    db,
  );
}
