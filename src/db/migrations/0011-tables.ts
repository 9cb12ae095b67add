import { type ColumnDefinitionBuilder, type CreateTableBuilder, sql } from 'kysely';

type Table = CreateTableBuilder<string>;
type NewTable = (name: string) => Table;
type Column = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;

const key: Column = (c) => c.primaryKey().notNull();
const required: Column = (c) => c.notNull();
const ofMerchant: Column = (c) => c.notNull().references('merchants.id');
const withId = (table: Table) => table.addColumn('id', 'text', key);

/** The tables of the baseline, each after those that it refers to. Text columns must be built, because PostgreSQL's get a collation. */
export function baselineTables(table: NewTable): Table[] {
  return [...merchants(table), ...payments(table), ...webhooks(table), ...people(table)];
}

function merchants(table: NewTable): Table[] {
  return [
    withId(table('merchants'))
      .addColumn('name', 'text', required)
      .addColumn('active', 'integer', required)
      .addColumn('hold', 'integer', required)
      .addColumn('webhook_url', 'text')
      .addColumn('webhook_enabled', 'integer', required)
      .addColumn('webhook_secret', 'text', required)
      .addColumn('first_paid_at', 'bigint')
      .addColumn('created_at', 'bigint', required)
      .addColumn('previous_webhook_secret', 'text')
      .addColumn('previous_secret_until', 'bigint'),
    withId(table('api_keys'))
      .addColumn('merchant_id', 'text', ofMerchant)
      .addColumn('hash', 'text', (c) => c.notNull().unique())
      .addColumn('secret', 'text', required)
      .addColumn('created_at', 'bigint', required)
      .addColumn('expires_at', 'bigint')
      .addColumn('last_used_at', 'bigint'),
    table('store_domains')
      .addColumn('merchant_id', 'text', ofMerchant)
      .addColumn('domain', 'text', required)
      .addColumn('created_at', 'bigint', required)
      .addPrimaryKeyConstraint('store_domains_pk', ['merchant_id', 'domain']),
    table('idempotency')
      .addColumn('merchant_id', 'text', ofMerchant)
      .addColumn('key', 'text', required)
      .addColumn('fingerprint', 'text', required)
      .addColumn('response', 'text', required)
      .addColumn('created_at', 'bigint', required)
      .addPrimaryKeyConstraint('idempotency_pk', ['merchant_id', 'key']),
    table('post_counts')
      .addColumn('client', 'text', key)
      .addColumn('count', 'integer', required)
      .addColumn('ends_at', 'bigint', required),
    withId(table('bank_accounts'))
      .addColumn('merchant_id', 'text', (c) => c.references('merchants.id'))
      .addColumn('current', 'integer', required)
      .addColumn('credentials', 'text', required)
      .addColumn('created_at', 'bigint', required)
      .addColumn('list_read_at', 'bigint')
      .addColumn('long_read_at', 'bigint')
      .addColumn('sweep_until', 'bigint'),
    withId(table('bank_hints'))
      .addColumn('account_id', 'text', (c) => c.notNull().references('bank_accounts.id'))
      .addColumn('identity', 'text', (c) => c.notNull().unique())
      .addColumn('bank_order_id', 'text')
      .addColumn('request_id', 'text')
      .addColumn('amount_cents', 'bigint')
      .addColumn('params', 'text', required)
      .addColumn('received_at', 'bigint', required)
      .addColumn('checks_count', 'integer', required)
      .addColumn('check_at', 'bigint'),
    withId(table('leads'))
      .addColumn('merchant_id', 'text', ofMerchant)
      .addColumn('identity', 'text', required)
      .addColumn('email', 'text')
      .addColumn('phone', 'text')
      .addColumn('name', 'text')
      .addColumn('first_seen_at', 'bigint', required)
      .addColumn('last_seen_at', 'bigint', required)
      .addColumn('orders_count', 'integer', required)
      .addColumn('asked_cents', 'bigint', required)
      .addColumn('paid_count', 'integer', required)
      .addColumn('paid_cents', 'bigint', required)
      .addColumn('items', 'text')
      .addColumn('tracking', 'text')
      .addColumn('phone_key', 'text')
      .addColumn('name_key', 'text')
      .addColumn('campaign', 'text')
      .addUniqueConstraint('leads_identity', ['merchant_id', 'identity']),
  ];
}

function payments(table: NewTable): Table[] {
  return [
    withId(table('transactions'))
      .addColumn('merchant_id', 'text', ofMerchant)
      .addColumn('order_id', 'text', required)
      .addColumn('amount_cents', 'bigint', (c) => c.notNull().check(sql`amount_cents > 0`))
      .addColumn('status', 'text', required)
      .addColumn('held', 'integer', required)
      .addColumn('paid_at', 'bigint')
      .addColumn('paid_method', 'text')
      .addColumn('paid_attempt_id', 'text')
      .addColumn('store_domain', 'text', required)
      .addColumn('customer', 'text')
      .addColumn('shipping_address', 'text')
      .addColumn('items', 'text')
      .addColumn('tracking', 'text')
      // No foreign key: checking it from the side of the leads would need an index here, one more write for every init.
      .addColumn('lead_id', 'text')
      .addColumn('created_at', 'bigint', required)
      .addColumn('deadline_at', 'bigint')
      .addColumn('events_count', 'integer', required)
      .addColumn('shown_attempt_id', 'text')
      .addCheckConstraint('transactions_paid', sql`status <> 'paid' or (paid_at is not null and held = 0)`),
    withId(table('attempts'))
      .addColumn('transaction_id', 'text', (c) => c.notNull().references('transactions.id'))
      .addColumn('merchant_id', 'text', required)
      .addColumn('account_id', 'text', (c) => c.notNull().references('bank_accounts.id'))
      .addColumn('method', 'text', required)
      .addColumn('state', 'text', required)
      .addColumn('amount_cents', 'bigint', required)
      .addColumn('bank_order_id', 'text', (c) => c.notNull().unique())
      .addColumn('request_id', 'text')
      .addColumn('phone_number', 'text')
      .addColumn('entity', 'text')
      .addColumn('reference', 'text')
      .addColumn('expires_at', 'bigint')
      .addColumn('created_at', 'bigint', required)
      .addColumn('accepted', 'integer', required)
      .addColumn('check_at', 'bigint')
      .addColumn('silent_count', 'integer', required)
      .addColumn('clear_reads', 'integer', required)
      .addColumn('clear_read_at', 'bigint')
      .addColumn('accepted_at', 'bigint')
      .addColumn('ended_at', 'bigint')
      .addColumn('end_reason', 'text'),
    withId(table('receipts'))
      .addColumn('identity', 'text', (c) => c.notNull().unique())
      .addColumn('transaction_id', 'text', (c) => c.references('transactions.id'))
      .addColumn('attempt_id', 'text', (c) => c.references('attempts.id'))
      .addColumn('merchant_id', 'text')
      .addColumn('account_id', 'text', (c) => c.notNull().references('bank_accounts.id'))
      .addColumn('method', 'text')
      .addColumn('amount_cents', 'bigint', required)
      .addColumn('paid_at', 'bigint', required)
      .addColumn('recorded_at', 'bigint', required)
      .addColumn('late', 'integer', required)
      .addColumn('duplicate', 'integer', required)
      .addColumn('under', 'integer', required)
      .addColumn('over', 'integer', required)
      .addColumn('unmatched', 'integer', required)
      .addColumn('request_id', 'text')
      .addColumn('bank_order_id', 'text')
      .addColumn('entity', 'text')
      .addColumn('reference', 'text')
      .addColumn('record', 'text', required)
      .addColumn('settled_at', 'bigint')
      .addColumn('settlement', 'text')
      .addColumn('returned_cents', 'bigint'),
    withId(table('receipt_notes'))
      .addColumn('receipt_id', 'text', (c) => c.notNull().references('receipts.id'))
      .addColumn('at', 'bigint', required)
      .addColumn('actor', 'text', required)
      .addColumn('kind', 'text', required)
      .addColumn('text', 'text', required)
      .addColumn('by_operator', 'integer', required)
      .addColumn('internal', 'integer', required),
    table('daily_totals')
      .addColumn('merchant_id', 'text', ofMerchant)
      .addColumn('day', 'text', required)
      .addColumn('created_count', 'integer', required)
      .addColumn('created_cents', 'bigint', required)
      .addColumn('ended_count', 'integer', required)
      .addColumn('ended_cents', 'bigint', required)
      .addColumn('part', 'integer', (c) => c.notNull().defaultTo(0))
      .addPrimaryKeyConstraint('daily_totals_in_parts_pk', ['merchant_id', 'day', 'part']),
    table('daily_method_totals')
      .addColumn('merchant_id', 'text', ofMerchant)
      .addColumn('day', 'text', required)
      .addColumn('method', 'text', required)
      .addColumn('attempts_count', 'integer', required)
      .addColumn('paid_count', 'integer', required)
      .addColumn('paid_cents', 'bigint', required)
      .addColumn('part', 'integer', (c) => c.notNull().defaultTo(0))
      .addPrimaryKeyConstraint('daily_method_totals_in_parts_pk', ['merchant_id', 'day', 'method', 'part']),
    table('lead_erasures')
      .addColumn('lead_id', 'text', (c) => c.primaryKey().notNull().references('leads.id'))
      .addColumn('merchant_id', 'text', ofMerchant)
      .addColumn('started_at', 'bigint', required)
      .addColumn('cursor', 'text')
      .addColumn('left_count', 'integer', required)
      .addColumn('done_count', 'integer', required)
      .addColumn('due_at', 'bigint')
      .addColumn('finished_at', 'bigint'),
    table('lead_erasure_waits')
      .addColumn('transaction_id', 'text', (c) => c.primaryKey().notNull().references('transactions.id'))
      .addColumn('lead_id', 'text', (c) => c.notNull().references('leads.id')),
  ];
}

function webhooks(table: NewTable): Table[] {
  return [
    withId(table('events'))
      .addColumn('merchant_id', 'text', ofMerchant)
      .addColumn('transaction_id', 'text', (c) => c.references('transactions.id'))
      .addColumn('kind', 'text', required)
      .addColumn('body', 'text', required)
      .addColumn('created_at', 'bigint', required)
      .addColumn('sequence', 'bigint')
      .addColumn('position', 'bigint', (c) => c.notNull().defaultTo(0)),
    table('event_counters')
      .addColumn('merchant_id', 'text', (c) => c.primaryKey().notNull().references('merchants.id'))
      .addColumn('last_sequence', 'bigint', required),
    withId(table('deliveries'))
      .addColumn('event_id', 'text', (c) => c.notNull().references('events.id'))
      .addColumn('merchant_id', 'text', ofMerchant)
      .addColumn('transaction_id', 'text', (c) => c.references('transactions.id'))
      .addColumn('kind', 'text', required)
      .addColumn('state', 'text', required)
      .addColumn('lane_position', 'integer')
      .addColumn('blocked', 'integer', required)
      .addColumn('attempts_count', 'integer', required)
      .addColumn('next_attempt_at', 'bigint')
      .addColumn('claim_token', 'text')
      .addColumn('claimed_until', 'bigint')
      .addColumn('created_at', 'bigint', required)
      .addColumn('finished_at', 'bigint')
      .addColumn('recovery_id', 'text'),
    table('delivery_attempts')
      .addColumn('delivery_id', 'text', (c) => c.notNull().references('deliveries.id'))
      .addColumn('number', 'integer', required)
      .addColumn('started_at', 'bigint', required)
      .addColumn('duration_ms', 'integer')
      .addColumn('status', 'integer')
      .addColumn('error', 'text')
      .addColumn('error_detail', 'text')
      .addColumn('response', 'text')
      .addPrimaryKeyConstraint('delivery_attempts_pk', ['delivery_id', 'number']),
    withId(table('recoveries'))
      .addColumn('merchant_id', 'text', ofMerchant)
      .addColumn('since_at', 'bigint', required)
      .addColumn('latest', 'integer', required)
      .addColumn('created_at', 'bigint', required)
      .addColumn('queued_at', 'bigint'),
  ];
}

function people(table: NewTable): Table[] {
  return [
    withId(table('users'))
      .addColumn('email', 'text', (c) => c.notNull().unique())
      .addColumn('password_hash', 'text')
      .addColumn('password_change', 'integer', required)
      .addColumn('totp_secret', 'text')
      .addColumn('totp_pending', 'text')
      .addColumn('totp_step', 'bigint')
      .addColumn('operator', 'integer', required)
      .addColumn('active', 'integer', required)
      .addColumn('created_at', 'bigint', required)
      .addColumn('signed_in_at', 'bigint'),
    table('memberships')
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
      .addColumn('merchant_id', 'text', ofMerchant)
      .addColumn('role', 'text', required)
      .addColumn('created_at', 'bigint', required)
      .addPrimaryKeyConstraint('memberships_pk', ['user_id', 'merchant_id']),
    withId(table('sessions'))
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
      .addColumn('token_hash', 'text', (c) => c.notNull().unique())
      .addColumn('created_at', 'bigint', required)
      .addColumn('seen_at', 'bigint', required)
      .addColumn('expires_at', 'bigint', required)
      .addColumn('verified_at', 'bigint', required)
      .addColumn('address', 'text', required)
      .addColumn('user_agent', 'text', required),
    table('user_links')
      .addColumn('token_hash', 'text', key)
      .addColumn('user_id', 'text', (c) => c.notNull().references('users.id'))
      .addColumn('kind', 'text', required)
      .addColumn('merchant_id', 'text', (c) => c.references('merchants.id'))
      .addColumn('role', 'text')
      .addColumn('totp', 'integer', required)
      .addColumn('created_at', 'bigint', required)
      .addColumn('expires_at', 'bigint', required)
      .addColumn('used_at', 'bigint'),
    // No foreign keys: the log outlives the rows that it names.
    withId(table('audit_log'))
      .addColumn('at', 'bigint', required)
      .addColumn('user_id', 'text')
      .addColumn('actor', 'text', required)
      .addColumn('address', 'text')
      .addColumn('merchant_id', 'text')
      .addColumn('action', 'text', required)
      .addColumn('target', 'text')
      .addColumn('details', 'text'),
  ];
}
