import type { Generated } from 'kysely';
import type { Id } from '../../kernel/ids.ts';
import type { Instant } from './columns.ts';

export interface LeadTable {
  id: Id<'led'>;
  merchant_id: Id<'mer'>;
  /** `email:` or `phone:` and the normalised value. */
  identity: string;
  email: string | null;
  phone: string | null;
  name: string | null;
  first_seen_at: Instant;
  last_seen_at: Instant;
  orders_count: number;
  asked_cents: number;
  paid_count: number;
  paid_cents: number;
  /** JSON of the newest init call with items. */
  items: string | null;
  tracking: string | null;
  /** The newest `utm_campaign`. */
  campaign: string | null;
  /** Search keys of earlier versions; null in newer rows. */
  phone_key: Generated<string | null>;
  name_key: Generated<string | null>;
}

/** The erasure of a lead's personal data. Instants in UTC milliseconds. */
export interface LeadErasureTable {
  lead_id: Id<'led'>;
  merchant_id: Id<'mer'>;
  started_at: number;
  /** The last erased transaction in id order; null when all are erased. */
  cursor: string | null;
  /** Transactions that are not erased yet. */
  left_count: number;
  /** Transactions erased so far. */
  done_count: number;
  /** When the next step is due; null when the erasure is complete. */
  due_at: number | null;
  /** When all data was erased for the first time. */
  finished_at: number | null;
}

/** An open transaction of an erased lead, which is erased again when it ends. */
export interface LeadErasureWaitTable {
  transaction_id: Id<'tx'>;
  lead_id: Id<'led'>;
  merchant_id: Id<'mer'> | null;
}
