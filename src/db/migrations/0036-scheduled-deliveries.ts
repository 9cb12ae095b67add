import { type Kysely, PostgresAdapter, sql } from 'kysely';

const DROPPED = [
  'deliveries_due',
  'deliveries_due_of_all',
  'deliveries_recovery_due',
  'deliveries_recovery_due_of_all',
] as const;

/**
 * Orders due deliveries by when they are scheduled instead of `next_attempt_at`, which every claim moves: a claim then changes no
 * index, and PostgreSQL keeps the new row in the page of the old one. Programs of earlier versions sort what is due.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  // Dropping first: it takes the strongest lock, and a stronger one after a weaker one could deadlock with running transactions.
  for (const name of DROPPED) await run(`drop index ${name}`);
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  await run(`alter table deliveries add column ${isPostgres ? 'if not exists' : ''} retry_at bigint`);
  const scheduled = 'coalesce(retry_at, created_at)';
  for (const [queue, blocked] of [
    ['scheduled', 0],
    ['recovery_scheduled', 2],
  ] as const) {
    const due = `state = 'due' and blocked = ${blocked}`;
    await run(
      `create index if not exists deliveries_${queue} on deliveries (merchant_id, (${scheduled})) where ${due}`,
    );
    await run(
      `create index if not exists deliveries_${queue}_of_all on deliveries ((${scheduled})) where ${due} and created_at > 0`,
    );
  }
  if (isPostgres) {
    // Room in each page for the claim and the outcome.
    await run('alter table deliveries set (fillfactor = 45)');
    await run('alter table delivery_attempts set (fillfactor = 45)');
  } else {
    await run('create index deliveries_claimed on deliveries (claim_token) where claim_token is not null');
  }
}
