import { type Kysely, PostgresAdapter, sql } from 'kysely';

interface Child {
  table: string;
  /** Names the row of `parent` that a row of `table` belongs to. */
  column: string;
  parent: string;
  condition: string;
}

// Those of ended deliveries are many, and retention deletes them.
const ATTEMPTS: Child = {
  table: 'delivery_attempts',
  column: 'delivery_id',
  parent: 'deliveries',
  condition: "and state = 'due'",
};

/** The other tables that get the merchant of the row that they belong to. */
const CHILDREN: readonly Child[] = [
  { table: 'refunds', column: 'receipt_id', parent: 'receipts', condition: '' },
  { table: 'refund_history', column: 'refund_id', parent: 'refunds', condition: '' },
  { table: 'receipt_notes', column: 'receipt_id', parent: 'receipts', condition: '' },
  { table: 'reported_refunds', column: 'receipt_id', parent: 'receipts', condition: '' },
  { table: 'lead_erasure_waits', column: 'lead_id', parent: 'leads', condition: '' },
];

/**
 * The merchant of every row that belongs to one, which decides the partition when merchants are distributed. Triggers write it for
 * processes of earlier versions, those before 0032 included. It only adds.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  if (isPostgres) await run(FILL_FUNCTION);
  if (isPostgres) await run(ASSIGN_FUNCTION);
  // The largest table first, so that the locks on the others are short.
  await addMerchant(db, ATTEMPTS);
  // Before the rows are filled, because creating a trigger waits for those who write, and keeps others from writing until the end.
  await run(
    isPostgres
      ? `create trigger receipts_merchant after update of merchant_id on receipts for each row
         when (old.merchant_id is null and new.merchant_id is not null) execute function fill_assigned()`
      : `create trigger receipts_merchant after update of merchant_id on receipts
         when old.merchant_id is null and new.merchant_id is not null begin ${ASSIGNED} end`,
  );
  for (const child of CHILDREN) await addMerchant(db, child);
}

async function addMerchant(db: Kysely<unknown>, { table, column, parent, condition }: Child): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  if (table !== 'refunds') await db.schema.alterTable(table).addColumn('merchant_id', 'text').execute();
  const merchantOf = (id: string) => `select merchant_id from ${parent} where id = ${id} ${condition}`;
  await run(
    isPostgres
      ? `create trigger ${table}_merchant before insert on ${table} for each row when (new.merchant_id is null)
         execute function fill_merchant('${merchantOf('$1').replaceAll("'", "''")}', '${column}')`
      : `create trigger ${table}_merchant after insert on ${table} when new.merchant_id is null
         begin update ${table} set merchant_id = (${merchantOf(`new.${column}`)}) where rowid = new.rowid; end`,
  );
  await run(
    condition === ''
      ? `update ${table} set merchant_id = (${merchantOf(`${table}.${column}`)}) where merchant_id is null`
      : `update ${table} set merchant_id = (${merchantOf(`${table}.${column}`)})
         where ${column} in (select id from ${parent} where ${condition.replace('and ', '')})`,
  );
}

const FILL_FUNCTION = `create function fill_merchant() returns trigger language plpgsql as $$ begin
  execute tg_argv[0] into new.merchant_id using to_jsonb(new) ->> tg_argv[1];
  return new;
end $$`;

/** What belongs to a receipt that is assigned to a transaction. */
const ASSIGNED = `
  update refunds set merchant_id = new.merchant_id where receipt_id = new.id;
  update refund_history set merchant_id = new.merchant_id
    where refund_id in (select id from refunds where receipt_id = new.id);
  update receipt_notes set merchant_id = new.merchant_id where receipt_id = new.id;
  update reported_refunds set merchant_id = new.merchant_id where receipt_id = new.id;`;

const ASSIGN_FUNCTION = `create function fill_assigned() returns trigger language plpgsql as $$ begin ${ASSIGNED}
  return null;
end $$`;
