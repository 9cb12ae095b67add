import { type Kysely, sql } from 'kysely';

/**
 * Rotation of webhook secrets, recovery of missed events, the sequence of a merchant's events, and a held payment's view. It only adds: a program
 * of the schema before still works on it. Events that exist are numbered here, in the order in which they were written.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await rotation(db);
  await sequence(db);
  await recovery(db);
  await hold(db);
}

async function rotation(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('merchants').addColumn('previous_webhook_secret', 'text').execute();
  await db.schema.alterTable('merchants').addColumn('previous_secret_until', 'bigint').execute();
}

async function sequence(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('events').addColumn('sequence', 'bigint').execute();
  await db.schema
    .alterTable('events')
    .addColumn('position', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('event_counters')
    .addColumn('merchant_id', 'text', (c) => c.primaryKey().notNull().references('merchants.id'))
    .addColumn('last_sequence', 'bigint', (c) => c.notNull())
    .execute();
  await sql`
    update events set sequence = numbered.place
    from (select id, row_number() over (partition by merchant_id order by created_at, id) as place from events) as numbered
    where numbered.id = events.id`.execute(db);
  await sql`
    insert into event_counters (merchant_id, last_sequence)
    select merchant_id, count(*) from events group by merchant_id`.execute(db);
  await sql`create unique index events_sequence on events (merchant_id, sequence) where sequence is not null`.execute(
    db,
  );
  await sql`create index events_unnumbered on events (position, id) where sequence is null`.execute(db);
}

async function recovery(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('recoveries')
    .addColumn('id', 'text', (c) => c.primaryKey().notNull())
    .addColumn('merchant_id', 'text', (c) => c.notNull().references('merchants.id'))
    .addColumn('since_at', 'bigint', (c) => c.notNull())
    .addColumn('latest', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('queued_at', 'bigint')
    .execute();
  await sql`create index recoveries_merchant on recoveries (merchant_id, id)`.execute(db);

  // No foreign key: adding it to a table with rows would read the complete table.
  await db.schema.alterTable('deliveries').addColumn('recovery_id', 'text').execute();
  await sql`create index deliveries_missed on deliveries (merchant_id, finished_at, id) where state in ('undelivered', 'skipped')`.execute(
    db,
  );
  // Recoveries have separate indexes, so that fresh events are found without passing a long recovery.
  await sql`create index deliveries_recovery_due on deliveries (merchant_id, next_attempt_at) where state = 'due' and blocked = 2`.execute(
    db,
  );
  await sql`create index deliveries_recovery_oldest on deliveries (next_attempt_at) where state = 'due' and blocked = 2`.execute(
    db,
  );
  await sql`create index deliveries_recovery on deliveries (recovery_id, state) where recovery_id is not null`.execute(
    db,
  );
  // An event waits for recovery once, even if two recoveries overlap.
  await sql`create unique index deliveries_recovering on deliveries (event_id) where state = 'due' and recovery_id is not null`.execute(
    db,
  );
}

/** What the merchant reads of a held payment is kept from now on; of those held already, the attempt that paid. */
async function hold(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('transactions').addColumn('shown_attempt_id', 'text').execute();
  await sql`update transactions set shown_attempt_id = paid_attempt_id where held = 1`.execute(db);
}
