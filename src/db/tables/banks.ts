import type { Generated } from 'kysely';
import type { Acquirer } from '../../kernel/acquirer.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Cents } from '../../kernel/money.ts';
import type { PaymentMethod } from './payments.ts';

/** An account at the bank and the position in its payment list. Instants in UTC milliseconds. */
export interface BankAccountTable {
  id: Id<'acc'>;
  /** Null for the default account. */
  merchant_id: Id<'mer'> | null;
  acquirer: Acquirer;
  /** 1 for the account of new attempts; older accounts stay, because their attempts can still be paid. */
  current: 0 | 1;
  /** JSON of the credentials, encrypted for `bank_accounts.credentials:<id>`. */
  credentials: string;
  created_at: number;
  /** Start of the newest complete read of the payment list. */
  list_read_at: number | null;
  /** Start of the newest complete read that reached 35 days back. */
  long_read_at: number | null;
  /** The end of a process's lease on reading the list. */
  sweep_until: Generated<number | null>;
}

/** The route of a merchant's method. The default is the installation's acquirer without a fallback. */
export interface BankRouteTable {
  merchant_id: Id<'mer'>;
  method: PaymentMethod;
  acquirer: Acquirer;
  fallback: Acquirer | null;
}

/** A callback notification, to be confirmed from the bank's record. Instants in UTC milliseconds. */
export interface BankHintTable {
  id: Id<'hnt'>;
  account_id: Id<'acc'>;
  /** Identifies equal notifications; a repetition restarts the checks of the existing row. */
  identity: string;
  bank_order_id: string | null;
  request_id: string | null;
  amount_cents: Cents | null;
  /** The parameters without the key, JSON. */
  params: string;
  received_at: number;
  checks_count: number;
  /** When the next confirmation is due; null when none is. */
  check_at: number | null;
}
