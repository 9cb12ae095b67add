import type { Generated, Insertable, Selectable } from 'kysely';
import type { Id } from '../../kernel/ids.ts';
import type { Flag, Instant } from './columns.ts';

export interface MerchantTable {
  id: Id<'mer'>;
  name: string;
  active: Flag;
  hold: Flag;
  webhook_url: string | null;
  webhook_enabled: Flag;
  /** Encrypted for `merchants.webhook_secret:<id>`. */
  webhook_secret: string;
  /** The previous secret, encrypted for the same place; null outside a rotation. */
  previous_webhook_secret: string | null;
  /** The time until which the previous secret signs as well. */
  previous_secret_until: Instant | null;
  /** When the first transaction was paid; checkout data is optional afterwards. */
  first_paid_at: Instant | null;
  /** Since when the team must use two-factor authentication; null when it need not. */
  team_factor_at: Instant | null;
  /** Whether the owner may refund the merchant's payments. */
  refunds: Generated<Flag>;
  /** Whether refunds send `payment.refunded`. */
  refund_events: Generated<Flag>;
  /** Whether undelivered events are delivered again automatically. */
  auto_recover: Generated<Flag>;
  /** Whether shoppers get mail. */
  customer_mails: Generated<Flag>;
  /** Whether owners get alerts by mail. */
  alerts: Generated<Flag>;
  created_at: Instant;
}

export type MerchantRow = Selectable<MerchantTable>;
export type NewMerchant = Insertable<MerchantTable>;

export interface ApiKeyTable {
  id: Id<'key'>;
  merchant_id: Id<'mer'>;
  /** SHA-256 of the key, lower-case hex; the lookup key of a request. `ended:<id>` once the key ended without grace. */
  hash: string;
  /** The key itself, encrypted for `api_keys.secret:<id>`. */
  secret: string;
  /** Null for the account's own key, which a roll replaces. */
  name: string | null;
  created_at: Instant;
  /** The expiry of a key that was rolled, revoked or created with an expiry; null without one. */
  expires_at: Instant | null;
  last_used_at: Instant | null;
}

export interface StoreDomainTable {
  merchant_id: Id<'mer'>;
  /** Normalised pattern: lower case, punycode, with an optional leading `*.`. */
  domain: string;
  created_at: Instant;
}
