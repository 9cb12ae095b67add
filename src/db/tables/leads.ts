import type { Id } from '../../kernel/ids.ts';

/** What the lead register is searched by, beside the identity; null where a lead has none, or was erased. */
export interface LeadKeyColumns {
  /** Digits with the country code. */
  phone_key: string | null;
  /** Lower case, without accents. */
  name_key: string | null;
  /** The newest `utm_campaign`. */
  campaign: string | null;
}

/** The erasure of one lead's person: begun, perhaps still under way, never undone. Instants in UTC milliseconds. */
export interface LeadErasureTable {
  lead_id: Id<'led'>;
  merchant_id: Id<'mer'>;
  started_at: number;
  /** The transaction of the lead up to which all are blanked; null once every one is. It starts over while the person is watched for. */
  cursor: string | null;
  /** Transactions of the lead that are not blanked yet. */
  left_count: number;
  /** Transactions blanked so far. */
  done_count: number;
  /** When the next step is due; null once nothing more can come. */
  due_at: number | null;
  /** When everything was blanked and over for the first time. */
  finished_at: number | null;
}

/** A transaction of an erased lead that is blanked again once it is over, because its person may still pay. */
export interface LeadErasureWaitTable {
  transaction_id: Id<'tx'>;
  lead_id: Id<'led'>;
}
