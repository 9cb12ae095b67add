import { type Kysely, sql } from 'kysely';

/** The first schema. Partial indexes keep the schedulers' look-ups as small as the work that is due. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const id = 'text';
  const instant = 'bigint';
  const amount = 'bigint';
  const flag = 'integer';

  // `meta` is made by the migrator itself.
  await db.schema
    .createTable('merchants')
    .addColumn('id', id, (c) => c.primaryKey().notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('active', flag, (c) => c.notNull())
    .addColumn('hold', flag, (c) => c.notNull())
    .addColumn('webhook_url', 'text')
    .addColumn('webhook_enabled', flag, (c) => c.notNull())
    .addColumn('webhook_secret', 'text', (c) => c.notNull())
    .addColumn('first_paid_at', instant)
    .addColumn('created_at', instant, (c) => c.notNull())
    .execute();

  await db.schema
    .createTable('api_keys')
    .addColumn('id', id, (c) => c.primaryKey().notNull())
    .addColumn('merchant_id', id, (c) => c.notNull().references('merchants.id'))
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('expires_at', instant)
    .addColumn('last_used_at', instant)
    .execute();
  await index(db, 'api_keys_merchant', 'api_keys', ['merchant_id', 'created_at']);

  await db.schema
    .createTable('store_domains')
    .addColumn('merchant_id', id, (c) => c.notNull().references('merchants.id'))
    .addColumn('domain', 'text', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('store_domains_pk', ['merchant_id', 'domain'])
    .execute();

  await db.schema
    .createTable('bank_accounts')
    .addColumn('id', id, (c) => c.primaryKey().notNull())
    .addColumn('merchant_id', id, (c) => c.references('merchants.id'))
    .addColumn('current', flag, (c) => c.notNull())
    .addColumn('credentials', 'text', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('list_read_at', instant)
    .addColumn('long_read_at', instant)
    .execute();
  // At most one current account for a merchant, and one default.
  await sql`create unique index bank_accounts_current on bank_accounts (coalesce(merchant_id, '')) where current = 1`.execute(
    db,
  );

  await db.schema
    .createTable('leads')
    .addColumn('id', id, (c) => c.primaryKey().notNull())
    .addColumn('merchant_id', id, (c) => c.notNull().references('merchants.id'))
    .addColumn('identity', 'text', (c) => c.notNull())
    .addColumn('email', 'text')
    .addColumn('phone', 'text')
    .addColumn('name', 'text')
    .addColumn('first_seen_at', instant, (c) => c.notNull())
    .addColumn('last_seen_at', instant, (c) => c.notNull())
    .addColumn('orders_count', 'integer', (c) => c.notNull())
    .addColumn('asked_cents', amount, (c) => c.notNull())
    .addColumn('paid_count', 'integer', (c) => c.notNull())
    .addColumn('paid_cents', amount, (c) => c.notNull())
    .addColumn('items', 'text')
    .addColumn('tracking', 'text')
    .addUniqueConstraint('leads_identity', ['merchant_id', 'identity'])
    .execute();
  await index(db, 'leads_merchant', 'leads', ['merchant_id', 'id']);

  await db.schema
    .createTable('transactions')
    .addColumn('id', id, (c) => c.primaryKey().notNull())
    .addColumn('merchant_id', id, (c) => c.notNull().references('merchants.id'))
    .addColumn('order_id', 'text', (c) => c.notNull())
    .addColumn('amount_cents', amount, (c) => c.notNull().check(sql`amount_cents > 0`))
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('held', flag, (c) => c.notNull())
    .addColumn('paid_at', instant)
    .addColumn('paid_method', 'text')
    .addColumn('paid_attempt_id', id)
    .addColumn('store_domain', 'text', (c) => c.notNull())
    .addColumn('customer', 'text')
    .addColumn('shipping_address', 'text')
    .addColumn('items', 'text')
    .addColumn('tracking', 'text')
    // No foreign key: checking it from the leads' side would want an index here, a write more for every init.
    .addColumn('lead_id', id)
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('deadline_at', instant)
    .addColumn('events_count', 'integer', (c) => c.notNull())
    .addCheckConstraint('transactions_paid', sql`status <> 'paid' or (paid_at is not null and held = 0)`)
    .execute();
  await index(db, 'transactions_merchant', 'transactions', ['merchant_id', 'id']);
  await sql`create index transactions_deadline on transactions (deadline_at) where deadline_at is not null`.execute(
    db,
  );

  await db.schema
    .createTable('attempts')
    .addColumn('id', id, (c) => c.primaryKey().notNull())
    .addColumn('transaction_id', id, (c) => c.notNull().references('transactions.id'))
    .addColumn('merchant_id', id, (c) => c.notNull())
    .addColumn('account_id', id, (c) => c.notNull().references('bank_accounts.id'))
    .addColumn('method', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('amount_cents', amount, (c) => c.notNull())
    .addColumn('bank_order_id', 'text', (c) => c.notNull().unique())
    .addColumn('request_id', 'text')
    .addColumn('phone_number', 'text')
    .addColumn('entity', 'text')
    .addColumn('reference', 'text')
    .addColumn('expires_at', instant)
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('accepted', flag, (c) => c.notNull())
    .addColumn('check_at', instant)
    .addColumn('silent_count', 'integer', (c) => c.notNull())
    .addColumn('clear_reads', 'integer', (c) => c.notNull())
    .addColumn('clear_read_at', instant)
    .execute();
  await index(db, 'attempts_transaction', 'attempts', ['transaction_id', 'id']);
  await index(db, 'attempts_request', 'attempts', ['request_id']);
  // One small index for each kind of check: open pushes by their deadline, references by their last read, lost creates.
  await sql`create index attempts_push on attempts (expires_at, check_at) where state = 'open' and method = 'MBWAY'`.execute(
    db,
  );
  await sql`create index attempts_reference on attempts (check_at) where state = 'open' and method = 'REFERENCE'`.execute(
    db,
  );
  await sql`create index attempts_initiated on attempts (check_at) where state = 'initiated'`.execute(db);
  await sql`create index attempts_unknown on attempts (account_id, id) where state = 'unknown'`.execute(db);

  await db.schema
    .createTable('receipts')
    .addColumn('id', id, (c) => c.primaryKey().notNull())
    .addColumn('identity', 'text', (c) => c.notNull().unique())
    .addColumn('transaction_id', id, (c) => c.references('transactions.id'))
    .addColumn('attempt_id', id, (c) => c.references('attempts.id'))
    .addColumn('merchant_id', id)
    .addColumn('account_id', id, (c) => c.notNull().references('bank_accounts.id'))
    .addColumn('method', 'text')
    .addColumn('amount_cents', amount, (c) => c.notNull())
    .addColumn('paid_at', instant, (c) => c.notNull())
    .addColumn('recorded_at', instant, (c) => c.notNull())
    .addColumn('late', flag, (c) => c.notNull())
    .addColumn('duplicate', flag, (c) => c.notNull())
    .addColumn('under', flag, (c) => c.notNull())
    .addColumn('over', flag, (c) => c.notNull())
    .addColumn('unmatched', flag, (c) => c.notNull())
    .addColumn('request_id', 'text')
    .addColumn('bank_order_id', 'text')
    .addColumn('entity', 'text')
    .addColumn('reference', 'text')
    .addColumn('record', 'text', (c) => c.notNull())
    .execute();
  await index(db, 'receipts_transaction', 'receipts', ['transaction_id', 'id']);
  for (const name of ['late', 'duplicate', 'under', 'over', 'unmatched']) {
    await sql`create index ${sql.id(`receipts_${name}`)} on receipts (id) where ${sql.id(name)} = 1`.execute(
      db,
    );
  }

  await db.schema
    .createTable('bank_hints')
    .addColumn('id', id, (c) => c.primaryKey().notNull())
    .addColumn('account_id', id, (c) => c.notNull().references('bank_accounts.id'))
    .addColumn('identity', 'text', (c) => c.notNull().unique())
    .addColumn('bank_order_id', 'text')
    .addColumn('request_id', 'text')
    .addColumn('amount_cents', amount)
    .addColumn('params', 'text', (c) => c.notNull())
    .addColumn('received_at', instant, (c) => c.notNull())
    .addColumn('checks_count', 'integer', (c) => c.notNull())
    .addColumn('check_at', instant)
    .execute();
  await sql`create index bank_hints_check on bank_hints (check_at) where check_at is not null`.execute(db);

  await db.schema
    .createTable('events')
    .addColumn('id', id, (c) => c.primaryKey().notNull())
    .addColumn('merchant_id', id, (c) => c.notNull().references('merchants.id'))
    .addColumn('transaction_id', id, (c) => c.references('transactions.id'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .execute();
  await index(db, 'events_transaction', 'events', ['transaction_id', 'id']);
  await sql`create unique index events_success on events (transaction_id) where kind = 'payment.success'`.execute(
    db,
  );

  await db.schema
    .createTable('deliveries')
    .addColumn('id', id, (c) => c.primaryKey().notNull())
    .addColumn('event_id', id, (c) => c.notNull().references('events.id'))
    .addColumn('merchant_id', id, (c) => c.notNull().references('merchants.id'))
    .addColumn('transaction_id', id, (c) => c.references('transactions.id'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('lane_position', 'integer')
    .addColumn('blocked', flag, (c) => c.notNull())
    .addColumn('attempts_count', 'integer', (c) => c.notNull())
    .addColumn('next_attempt_at', instant)
    .addColumn('claim_token', 'text')
    .addColumn('claimed_until', instant)
    .addColumn('created_at', instant, (c) => c.notNull())
    .addColumn('finished_at', instant)
    .execute();
  await index(db, 'deliveries_event', 'deliveries', ['event_id', 'id']);
  await index(db, 'deliveries_transaction', 'deliveries', ['transaction_id', 'id']);
  await sql`create index deliveries_due on deliveries (merchant_id, next_attempt_at) where state = 'due' and blocked = 0`.execute(
    db,
  );
  await sql`create index deliveries_oldest on deliveries (next_attempt_at) where state = 'due' and blocked = 0`.execute(
    db,
  );
  await sql`create index deliveries_lane on deliveries (transaction_id, lane_position) where state = 'due'`.execute(
    db,
  );

  await db.schema
    .createTable('delivery_attempts')
    .addColumn('delivery_id', id, (c) => c.notNull().references('deliveries.id'))
    .addColumn('number', 'integer', (c) => c.notNull())
    .addColumn('started_at', instant, (c) => c.notNull())
    .addColumn('duration_ms', 'integer')
    .addColumn('status', 'integer')
    .addColumn('error', 'text')
    .addColumn('error_detail', 'text')
    .addColumn('response', 'text')
    .addPrimaryKeyConstraint('delivery_attempts_pk', ['delivery_id', 'number'])
    .execute();

  await db.schema
    .createTable('idempotency')
    .addColumn('merchant_id', id, (c) => c.notNull().references('merchants.id'))
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('response', 'text', (c) => c.notNull())
    .addColumn('created_at', instant, (c) => c.notNull())
    .addPrimaryKeyConstraint('idempotency_pk', ['merchant_id', 'key'])
    .execute();
  await index(db, 'idempotency_age', 'idempotency', ['created_at']);
}

async function index(db: Kysely<unknown>, name: string, table: string, columns: string[]): Promise<void> {
  await db.schema.createIndex(name).on(table).columns(columns).execute();
}
