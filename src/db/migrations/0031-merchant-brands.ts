import { type Kysely, sql } from 'kysely';

/** The logo and the accent colour of a merchant's payment pages. It only adds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('merchant_brands')
    .addColumn('merchant_id', 'text', (c) => c.primaryKey().notNull().references('merchants.id'))
    .addColumn('accent', 'text')
    .addColumn('logo', 'text')
    .addColumn('logo_type', 'text')
    .addColumn('logo_hash', 'text')
    .execute();
  await sql`create index merchant_brands_logo on merchant_brands (logo_hash) where logo_hash is not null`.execute(
    db,
  );
}
