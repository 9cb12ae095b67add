import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * The search index. Rows are indexed by a periodic job, not here. The indexes of the search before it are dropped; the columns
 * `phone_key` and `name_key` of leads stay empty from now on.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('search_sections')
    .addColumn('number', 'integer', (c) => c.primaryKey().notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('owner', 'text', (c) => c.notNull())
    .addColumn('first_id', 'text', (c) => c.notNull())
    .addColumn('rows_count', 'integer', (c) => c.notNull())
    .execute();
  await sql`create index search_sections_owner on search_sections (kind, owner, first_id)`.execute(db);
  await db.schema
    .createTable('search_documents')
    .addColumn('number', 'integer', (c) => c.primaryKey().notNull())
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('section', 'integer', (c) => c.notNull())
    .addColumn('shared_section', 'integer', (c) => c.notNull())
    .addColumn('text', 'text', (c) => c.notNull())
    .execute();
  if (db.getExecutor().adapter instanceof PostgresAdapter) await indexPostgres(db);
  else await indexSqlite(db);
  for (const name of ['transactions_order', 'leads_phone_key', 'leads_name_key']) {
    await sql`drop index if exists ${sql.id(name)}`.execute(db);
  }
}

/** The index holds no text; `secure-delete` removes the words of an erased person from its pages. */
async function indexSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`create virtual table search_index using fts5(
    text, content='', columnsize=0, detail=none, tokenize='trigram case_sensitive 1')`.execute(db);
  await sql`insert into search_index (search_index, rank) values ('secure-delete', 1)`.execute(db);
}

/** Without pg_trgm the index finds the rows of a section, and a search reads their texts. */
async function indexPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`do $$ begin
    create extension if not exists pg_trgm;
  exception when others then
    raise notice 'pg_trgm is not available';
  end $$`.execute(db);
  // The extension may be in a schema outside the search path, or in one without access.
  const { rows } = await sql<{ schema: string }>`
    select nspname as schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
    where extname = 'pg_trgm' and has_schema_privilege(extnamespace, 'usage')`.execute(db);
  const text = rows[0] ? sql`, text ${sql.id(rows[0].schema, 'gin_trgm_ops')}` : sql``;
  await sql`create index search_documents_text on search_documents
    using gin ((array[section, shared_section])${text}) with (fastupdate = off)`.execute(db);
}
