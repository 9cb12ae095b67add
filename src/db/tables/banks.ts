import type { Generated } from 'kysely';
import type { Id } from '../../kernel/ids.ts';
import type { Cents } from '../../kernel/money.ts';

/** The credentials of an account at the bank, and how far its list was read. Instants in UTC milliseconds. */
export interface BankAccountTable {
  id: Id<'acc'>;
  /** Null for the default account. */
  merchant_id: Id<'mer'> | null;
  /** 1 for the account that new attempts use; superseded ones stay, because their attempts can still be paid. */
  current: 0 | 1;
  /** JSON of the credentials, sealed for `bank_accounts.credentials:<id>`. */
  credentials: string;
  created_at: number;
  /** Start of the newest complete read of the bank's list, the sweep's cursor. */
  list_read_at: number | null;
  /** Start of the newest complete read that reached 35 days back. */
  long_read_at: number | null;
  /** Until when no other process reads its list; null while none has. */
  sweep_until: Generated<number | null>;
}

/** What the bank's callback said, to be confirmed from its record. Instants in UTC milliseconds. */
export interface BankHintTable {
  id: Id<'hnt'>;
  account_id: Id<'acc'>;
  /** What makes two callbacks the same one; a repetition arms the existing row again. */
  identity: string;
  bank_order_id: string | null;
  request_id: string | null;
  amount_cents: Cents | null;
  /** The callback's parameters less the key, JSON. */
  params: string;
  received_at: number;
  checks_count: number;
  /** When the next confirmation is due; null when none is. */
  check_at: number | null;
}
