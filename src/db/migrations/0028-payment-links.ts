import { type Kysely, sql } from 'kysely';

/** Payment links, and the link that a checkout session was made from. It only adds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('payment_links')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('merchant_id', 'text', (c) => c.notNull().references('merchants.id'))
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('token', 'text', (c) => c.notNull())
    .addColumn('title', 'text', (c) => c.notNull())
    .addColumn('amount_cents', 'bigint')
    .addColumn('min_cents', 'bigint')
    .addColumn('max_cents', 'bigint')
    .addColumn('order_prefix', 'text', (c) => c.notNull())
    .addColumn('uses_max', 'bigint')
    .addColumn('uses_count', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('closed_at', 'bigint')
    .execute();
  await sql`create index payment_links_merchant on payment_links (merchant_id, id)`.execute(db);
  await db.schema.alterTable('checkout_sessions').addColumn('link_id', 'text').execute();
  await sql`create index if not exists checkout_sessions_link on checkout_sessions (link_id) where link_id is not null`.execute(
    db,
  );
}
