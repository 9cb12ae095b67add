import { type Kysely, sql } from 'kysely';

/** What people do about receipts that need them, and the look-ups of those and of held sales. It only adds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('receipts').addColumn('settled_at', 'bigint').execute();
  await db.schema.alterTable('receipts').addColumn('settlement', 'text').execute();
  await db.schema.alterTable('receipts').addColumn('returned_cents', 'bigint').execute();
  await db.schema
    .createTable('receipt_notes')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('receipt_id', 'text', (c) => c.notNull().references('receipts.id'))
    .addColumn('at', 'bigint', (c) => c.notNull())
    .addColumn('actor', 'text', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .addColumn('by_operator', 'integer', (c) => c.notNull())
    .addColumn('internal', 'integer', (c) => c.notNull())
    .execute();
  await sql`create index receipt_notes_receipt on receipt_notes (receipt_id, id)`.execute(db);

  // The inbox: what is flagged and not settled, over all, by merchant and by flag; the rest of the receipts never weighs on it.
  const open = sql`settlement is null and late + duplicate + under + over + unmatched > 0`;
  await sql`create index receipts_open on receipts (id) where ${open}`.execute(db);
  await sql`create index receipts_open_merchant on receipts (merchant_id, id) where ${open}`.execute(db);
  for (const flag of ['late', 'duplicate', 'under', 'over', 'unmatched']) {
    await sql`create index ${sql.id(`receipts_open_${flag}`)} on receipts (id) where settlement is null and ${sql.id(flag)} = 1`.execute(
      db,
    );
  }
  await sql`create index receipts_settled on receipts (id) where settlement is not null`.execute(db);
  await sql`create index receipts_settled_merchant on receipts (merchant_id, id) where settlement is not null`.execute(
    db,
  );
  await sql`create index transactions_held on transactions (id) where held = 1`.execute(db);
}
