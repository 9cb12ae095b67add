import type { Id } from '../../kernel/ids.ts';
import type { Language } from '../../kernel/language.ts';
import type { Cents } from '../../kernel/money.ts';
import type { Instant } from './columns.ts';

/** A shopper's visit to the payment page. Its order is that of its transactions. */
export interface CheckoutSessionTable {
  id: Id<'cs'>;
  merchant_id: Id<'mer'>;
  /** SHA-256 of the token in the page's address, lower-case hex; the lookup key of a request. */
  token_hash: string;
  /** The token itself, encrypted for `checkout_sessions.token:<id>`. */
  token: string;
  success_url: string | null;
  cancel_url: string | null;
  /** `MBWAY`, `REFERENCE` or both, separated by a comma. */
  methods: string;
  locale: Language;
  /** Why the last step started no payment, JSON; see checkout/notice.ts. */
  notice: string | null;
  created_at: Instant;
  expires_at: Instant;
  /** The payment link that created it. */
  link_id: Id<'lnk'> | null;
}

/** A page address at which anyone can pay; each use creates a session. */
export interface PaymentLinkTable {
  id: Id<'lnk'>;
  merchant_id: Id<'mer'>;
  /** SHA-256 of the token in the page's address, lower-case hex. */
  token_hash: string;
  /** The token itself, encrypted for `payment_links.token:<id>`. */
  token: string;
  title: string;
  /** Null when the shopper chooses the amount, within the optional bounds. */
  amount_cents: Cents | null;
  min_cents: Cents | null;
  max_cents: Cents | null;
  /** The prefix of its order ids; a hyphen and the number of the use follow. */
  order_prefix: string;
  uses_max: number | null;
  uses_count: number;
  created_at: Instant;
  expires_at: Instant | null;
  closed_at: Instant | null;
}

/** A push of the payment page, kept as long as it counts against a limit. */
export interface CheckoutPushTable {
  attempt_id: Id<'att'>;
  session_id: Id<'cs'>;
  phone_number: string;
  created_at: Instant;
}

/** The branding of a merchant's payment pages. */
export interface MerchantBrandTable {
  merchant_id: Id<'mer'>;
  /** `#rrggbb`. */
  accent: string | null;
  /** The file in base64. */
  logo: string | null;
  logo_type: string | null;
  /** The hash of the file, so that its address changes with its content. */
  logo_hash: string | null;
}
