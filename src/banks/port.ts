import type { z } from 'zod';
import type { Queryable } from '../db/database.ts';
import type { PaymentMethod } from '../db/tables/payments.ts';
import type { Acquirer } from '../kernel/acquirer.ts';
import type { Id } from '../kernel/ids.ts';
import type { Cents } from '../kernel/money.ts';

/** The port to an acquirer. Each acquirer has one adapter, for accounts with its credentials. */
export interface Adapter<C = unknown> {
  /** Sends one push. Never repeated by the adapter: a repetition could charge the customer twice. */
  createPush(account: BankAccount<C>, push: PushOrder): Promise<PushOutcome>;
  /** Creates one reference. Never repeated by the adapter. */
  createReference(account: BankAccount<C>, order: ReferenceOrder): Promise<ReferenceOutcome>;
  /** Reads the state of a push from the bank. Throws BankUnavailable. */
  inquirePush(account: BankAccount<C>, push: SentPush): Promise<PushState>;
  /** Reads every received payment that matches `filter`, in as many requests as that takes. Throws BankUnavailable. */
  listPayments(account: BankAccount<C>, filter: ListFilter): Promise<PaymentList>;
  /** Refunds a payment. Never repeated by the adapter: a repetition could return the money twice. */
  refund(account: BankAccount<C>, order: BankRefundOrder): Promise<RefundOutcome>;
  /** Reads the state of an accepted refund by the bank's refund id. Throws BankUnavailable. */
  inquireRefund(account: BankAccount<C>, bankRefundId: string): Promise<AcceptedRefundState>;
  /**
   * Registers the callback address of this account at the bank. Throws BankUnavailable. Where the acquirer has no API
   * for it (see AcquirerProfile), only at the sandbox, to which it also sends the account's credentials.
   */
  registerCallback(account: BankAccount<C>, callbackUrl: string): Promise<void>;
  /**
   * Reads an inbound callback, which belongs to one of `accounts`. It does not prove a payment: only the bank's record credits.
   */
  readCallback(request: CallbackRequest, accounts: readonly BankAccount<C>[]): CallbackVerdict;
}

/** Every acquirer behind one interface: a call goes to the adapter of its account. */
export interface Bank extends Omit<Adapter, 'readCallback'> {
  readCallback(
    acquirer: Acquirer,
    request: CallbackRequest,
    accounts: readonly BankAccount[],
  ): CallbackVerdict;
}

/** The static properties of an acquirer. `C` is the type of its credentials. */
export interface AcquirerProfile<C = unknown> {
  /** Validates the credentials that an operator entered. Every message follows the name of a member and contains no value. */
  readonly credentials: z.ZodType<C>;
  /** Credentials of an account at the sandbox. `randomText` returns letters and digits. */
  sandboxCredentials(randomText: (length: number) => string): C;
  /** Whether both belong to one contract with the acquirer, so that an account may change from one to the other. */
  isSameContract(a: C, b: C): boolean;
  /** The method keys that a row of the bank's list can contain. */
  methodKeys(credentials: C): readonly string[];
  /** Accounts with the same value share one list. */
  listKey(credentials: C): string;
  /** The secret that authenticates a callback. */
  notificationKey(credentials: C): string;
  /** The hosts that the service calls over https. */
  readonly hosts: readonly { host: string; purpose: string }[];
  /**
   * Whether a payment that is missing in a complete read of the list was not received. Otherwise unknown pushes and
   * expired references need one inquiry each.
   */
  readonly hasCompleteList: boolean;
  /** The callback settings that a person enters at the acquirer; null where an API registers the address. */
  readonly callbacksByHand: string | null;
  readonly limits: Readonly<Record<PaymentMethod, { minCents: number }>>;
}

/** The accounts at each acquirer: one default and optionally one per merchant. Superseded accounts stay readable. */
export interface BankAccounts {
  /**
   * The account for a new attempt of this merchant, its own or the default one, with the fallback account for when that
   * acquirer cannot be reached. Null without an account.
   */
  routed(db: Queryable, merchantId: Id<'mer'>, method: PaymentMethod): Promise<RoutedAccounts | null>;
  /** The account of an existing attempt. */
  byId(db: Queryable, id: Id<'acc'>): Promise<BankAccount>;
  /**
   * The account that received the payment of a row in `readerId`'s list: `attemptAccountId`, the account of the row's
   * attempt, or the reader when the row has no attempt, unless the row or the list belongs to another account.
   */
  ofRecord(
    db: Queryable,
    record: BankRecord,
    readerId: Id<'acc'>,
    attemptAccountId: Id<'acc'> | null,
  ): Promise<Id<'acc'>>;
}

export interface BankAccount<C = unknown> {
  id: Id<'acc'>;
  acquirer: Acquirer;
  credentials: C;
}

/** An account for new attempts of one method. */
export interface RoutedAccount extends BankAccount {
  /** The smallest amount that its acquirer accepts. */
  minCents: number;
}

export interface RoutedAccounts {
  account: RoutedAccount;
  fallback: RoutedAccount | null;
}

export interface SentPush {
  /** Null while the outcome of its create is unknown; then only an acquirer without a complete list gets inquiries. */
  requestId: string | null;
  bankOrderId: string;
}

export interface PushOrder {
  bankOrderId: string;
  amount: Cents;
  /** 9 digits, `9XXXXXXXX`. */
  phoneNumber: string;
  /** The text that the customer sees in the app, at most 50 characters. */
  description: string;
}

export interface ReferenceOrder {
  bankOrderId: string;
  amount: Cents;
  /** 0 is today; see SERVICE_MULTIBANCO_DAYS. */
  expiryDays: number;
  description: string;
}

/** The failures of a call that must not be repeated. `detail` is for the operator's log. */
export type NoAnswer =
  /** No connection was made: nothing reached the bank. */
  | { kind: 'unreachable'; detail: string }
  /** The bank may or may not have carried it out. */
  | { kind: 'unknown'; detail: string };

/** How a create failed; `refused` is a readable refusal. */
export type CreateFailure = NoAnswer | { kind: 'refused'; reason: 'phone-unknown' | 'other'; detail: string };

export type PushOutcome = { kind: 'accepted'; requestId: string } | CreateFailure;

export type ReferenceOutcome =
  | { kind: 'accepted'; requestId: string | null; entity: string; reference: string; expiresAt: number }
  | CreateFailure;

/** How a method is refunded: by a call to the acquirer, or by a bank transfer that a person makes. */
export const REFUND_ROUTES: Readonly<Record<PaymentMethod, 'acquirer' | 'transfer'>> = {
  MBWAY: 'acquirer',
  REFERENCE: 'transfer',
};

/** Whether an acquirer's payments have ids of their own. The request id of their receipts is that id. */
export const HAS_PAYMENT_IDS: Readonly<Record<Acquirer, boolean>> = { ifthenpay: false, eupago: true };

export interface BankRefundOrder {
  refundId: Id<'ref'>;
  /** The bank's id of the refunded payment. */
  requestId: string;
  amount: Cents;
  reason: string | null;
}

export type RefundOutcome =
  | { kind: 'done' }
  /** The bank makes the refund later; `refundId` is the bank's id. */
  | { kind: 'accepted'; refundId: string }
  /** A readable refusal: nothing was returned. */
  | { kind: 'refused'; reason: string }
  | NoAnswer;

export type AcceptedRefundState =
  | { kind: 'done' }
  | { kind: 'refused'; reason: string }
  | { kind: 'waiting' };

/** `waiting` covers the bank's "pending" and "expired": only the service's own deadline plus grace closes a push. */
export type PushState =
  /**
   * `identity` equals that of the payment's row in the bank's list (see BankRecord). Without a `record` of the payment,
   * the answer carries no amount: a push is paid in full or not at all.
   */
  | { kind: 'paid'; paidAt: number; identity: string; record?: BankRecord }
  | { kind: 'rejected' }
  | { kind: 'declined' }
  | { kind: 'waiting' }
  /** The bank knows no push of this order id. Only for pushes without a request id. */
  | { kind: 'absent' };

export interface ListFilter {
  requestId?: string;
  bankOrderId?: string;
  /** UTC milliseconds; both or neither. */
  from?: number;
  to?: number;
}

export interface PaymentList {
  records: BankRecord[];
  /** False when a row could not be read or the bank does not know the order: a missing payment is then no proof. */
  complete: boolean;
  /** Why the bank did not return a part of the list; `records` has the rows of the other parts. */
  failure?: BankUnavailable;
}

/** One row of the bank's record of received payments. */
export interface BankRecord {
  /** Derived from the bank's row alone: the same payment always has the same identity, other payments never. */
  identity: string;
  method: PaymentMethod | null;
  amount: Cents;
  /** The bank's time of payment, UTC milliseconds; null when its text is unreadable. */
  paidAt: number | null;
  requestId: string | null;
  /** The bank's id of the payment, if it differs from the request id; a refund names it. */
  paymentId?: string;
  bankOrderId: string | null;
  entity: string | null;
  reference: string | null;
  /** The row as read. */
  raw: unknown;
  /** The method key of the row, if it has one: distinguishes accounts that share one list. */
  methodKey?: string | null;
  fees?: ReceiptFees;
}

/** The bank's fee and payout of a payment. Null while unknown. */
export interface ReceiptFees {
  fee: Cents | null;
  net: Cents | null;
  /** `YYYY-MM-DD`. */
  valueDate: string | null;
}

/** An inbound callback as it arrived. */
export interface CallbackRequest {
  method: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  query: URLSearchParams;
  body: Buffer;
}

/** `forged`: authenticated by no account, refused. `unreadable`: genuine, acknowledged and only logged. */
export type CallbackVerdict =
  | { kind: 'notification'; notification: CallbackNotification }
  | { kind: 'forged' }
  | { kind: 'unreadable'; detail: string };

export interface CallbackNotification {
  /** Whether the bank announces a received payment or a refund. */
  kind: 'payment' | 'refund';
  accountId: Id<'acc'>;
  /** Every account with this callback key, the oldest first. */
  accountIds: readonly Id<'acc'>[];
  bankOrderId: string | null;
  requestId: string | null;
  amount: Cents | null;
  /** The parameters without the key. */
  params: Record<string, string>;
}

/** The bank gave no readable answer: timeout, connection reset, 5xx or unreadable body. The caller may retry later. */
export class BankUnavailable extends Error {
  override readonly name = 'BankUnavailable';
}
