import { type CreateTableBuilder, type Kysely, sql } from 'kysely';

/** What an older program writes into the totals names a key that they no longer have. */
export const knownMin = 11;

/**
 * The totals of a day in parts, which are added up when they are read: where transactions run side by side, all payments
 * of a day would queue for its one row until the commit before theirs is on disk.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await rebuild(db, 'daily_totals', ['day'], (table) =>
    table
      .addColumn('created_count', 'integer', (c) => c.notNull())
      .addColumn('created_cents', 'bigint', (c) => c.notNull())
      .addColumn('ended_count', 'integer', (c) => c.notNull())
      .addColumn('ended_cents', 'bigint', (c) => c.notNull()),
  );
  await rebuild(db, 'daily_method_totals', ['day', 'method'], (table) =>
    table
      .addColumn('attempts_count', 'integer', (c) => c.notNull())
      .addColumn('paid_count', 'integer', (c) => c.notNull())
      .addColumn('paid_cents', 'bigint', (c) => c.notNull()),
  );
}

type Builder = CreateTableBuilder<string, string>;

/** A primary key cannot be widened on SQLite: the table is created again, with its rows as the first shard. */
async function rebuild(
  db: Kysely<unknown>,
  name: string,
  keys: readonly string[],
  numbers: (table: Builder) => Builder,
): Promise<void> {
  const built = `${name}_in_parts`;
  let table: Builder = db.schema
    .createTable(built)
    .addColumn('merchant_id', 'text', (c) => c.notNull().references('merchants.id'));
  for (const key of keys) table = table.addColumn(key, 'text', (c) => c.notNull());
  await numbers(table)
    .addColumn('part', 'integer', (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint(`${built}_pk`, ['merchant_id', ...keys, 'part'])
    .execute();
  await sql`insert into ${sql.table(built)} select *, 0 from ${sql.table(name)}`.execute(db);
  await db.schema.dropTable(name).execute();
  await db.schema.alterTable(built).renameTo(name).execute();
}
