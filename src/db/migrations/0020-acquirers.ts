import { type Kysely, sql } from 'kysely';

/** An older program would take an account of one acquirer for that of another. */
export const knownMin = 20;

/** Bank accounts of several acquirers, and the acquirer that each merchant's method is routed to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('bank_accounts')
    .addColumn('acquirer', 'text', (c) => c.notNull().defaultTo('ifthenpay'))
    .execute();
  await sql`create unique index bank_accounts_of_acquirer on bank_accounts (coalesce(merchant_id, ''), acquirer) where current = 1`.execute(
    db,
  );
  await db.schema.dropIndex('bank_accounts_current').execute();
  await db.schema
    .createTable('bank_routes')
    .addColumn('merchant_id', 'text', (c) => c.notNull().references('merchants.id'))
    .addColumn('method', 'text', (c) => c.notNull())
    .addColumn('acquirer', 'text', (c) => c.notNull())
    .addColumn('fallback', 'text')
    .addPrimaryKeyConstraint('bank_routes_key', ['merchant_id', 'method'])
    .execute();
}
