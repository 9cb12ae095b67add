import type { Tables } from '../../db/tables/tables.ts';

/** A table in the order of its key, with the columns of amounts whose sums are compared. */
export interface CopiedTable {
  readonly name: keyof Tables;
  readonly key: readonly string[];
  readonly cents?: readonly string[];
}

/**
 * Every copied table, each after the tables that it references. Excluded: `meta`, which is copied last, the short-lived
 * `post_counts` and `checkout_pushes`, and the search index, which is rebuilt.
 */
export const COPIED_TABLES: readonly CopiedTable[] = [
  { name: 'merchants', key: ['id'] },
  { name: 'api_keys', key: ['id'] },
  { name: 'store_domains', key: ['merchant_id', 'domain'] },
  { name: 'merchant_brands', key: ['merchant_id'] },
  { name: 'bank_accounts', key: ['id'] },
  { name: 'bank_routes', key: ['merchant_id', 'method'] },
  { name: 'leads', key: ['id'], cents: ['asked_cents', 'paid_cents'] },
  { name: 'payment_links', key: ['id'], cents: ['amount_cents', 'min_cents', 'max_cents'] },
  { name: 'checkout_sessions', key: ['id'] },
  { name: 'transactions', key: ['id'], cents: ['amount_cents'] },
  { name: 'attempts', key: ['id'], cents: ['amount_cents'] },
  {
    name: 'receipts',
    key: ['id'],
    cents: ['amount_cents', 'returned_cents', 'fee_cents', 'net_cents', 'refund_cents'],
  },
  { name: 'receipt_notes', key: ['id'] },
  { name: 'refunds', key: ['id'], cents: ['amount_cents'] },
  { name: 'refund_history', key: ['refund_id', 'number'] },
  { name: 'reported_refunds', key: ['id'], cents: ['amount_cents'] },
  { name: 'bank_hints', key: ['id'] },
  { name: 'events', key: ['id'] },
  { name: 'event_counters', key: ['merchant_id'] },
  { name: 'recoveries', key: ['id'] },
  { name: 'auto_recoveries', key: ['merchant_id'] },
  { name: 'deliveries', key: ['id'] },
  { name: 'delivery_attempts', key: ['delivery_id', 'number'] },
  { name: 'idempotency', key: ['merchant_id', 'key'] },
  { name: 'daily_totals', key: ['merchant_id', 'day', 'part'], cents: ['created_cents', 'ended_cents'] },
  { name: 'daily_method_totals', key: ['merchant_id', 'day', 'method', 'part'], cents: ['paid_cents'] },
  { name: 'users', key: ['id'] },
  { name: 'recovery_codes', key: ['user_id', 'hash'] },
  { name: 'passkeys', key: ['id'] },
  { name: 'passkey_challenges', key: ['challenge_hash'] },
  { name: 'memberships', key: ['user_id', 'merchant_id'] },
  { name: 'sessions', key: ['id'] },
  { name: 'user_links', key: ['token_hash'] },
  { name: 'audit_log', key: ['id'] },
  { name: 'api_requests', key: ['id'] },
  { name: 'mails', key: ['id'] },
  { name: 'lead_erasures', key: ['lead_id'] },
  { name: 'lead_erasure_waits', key: ['transaction_id'] },
];
