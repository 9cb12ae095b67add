import { type Kysely, PostgresAdapter, sql } from 'kysely';

/** Programs before 0034 relied on its triggers. */
export const knownMin = 34;

const TABLES = [
  'delivery_attempts',
  'receipts',
  'refunds',
  'refund_history',
  'receipt_notes',
  'reported_refunds',
  'lead_erasure_waits',
];

/** Drops the triggers that wrote the merchant of a row for programs before 0034, in the order in which those locked the tables. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  for (const table of TABLES) await run(`drop trigger ${table}_merchant${isPostgres ? ` on ${table}` : ''}`);
  if (isPostgres) await run('drop function fill_merchant(), fill_assigned()');
}
