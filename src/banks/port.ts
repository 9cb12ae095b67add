import type { Queryable } from '../db/database.ts';
import type { AttemptState, PaymentMethod } from '../db/tables/payments.ts';
import type { Id } from '../kernel/ids.ts';
import type { Cents } from '../kernel/money.ts';

/** What the service needs from any acquirer. Each acquirer has one adapter. */
export interface Bank {
  /** Sends one push. Never repeated by the adapter: a repetition could charge the customer twice. */
  createPush(account: BankAccount, push: PushOrder): Promise<PushOutcome>;
  /** Creates one reference. Never repeated by the adapter. */
  createReference(account: BankAccount, order: ReferenceOrder): Promise<ReferenceOutcome>;
  /** Reads the state of a push from the bank. Throws BankUnavailable. */
  inquirePush(account: BankAccount, requestId: string): Promise<PushState>;
  /** Reads every received payment that matches `filter`, in as many requests as that takes. Throws BankUnavailable. */
  listPayments(account: BankAccount, filter: ListFilter): Promise<PaymentList>;
  /** Registers the callback address of this account at the bank. Throws BankUnavailable. */
  registerCallback(account: BankAccount, callbackUrl: string): Promise<void>;
  /** Reads an inbound callback; null when its key belongs to no account. It proves nothing: only the bank's record credits. */
  verifyCallback(query: URLSearchParams, accounts: readonly BankAccount[]): CallbackNotification | null;
}

/** The accounts at the bank: one default and optionally one per merchant. Superseded accounts stay readable. */
export interface BankAccounts {
  /** The account for a new attempt of this merchant; null when none is set. */
  current(db: Queryable, merchantId: Id<'mer'>): Promise<BankAccount | null>;
  /** The account of an existing attempt. */
  byId(db: Queryable, id: Id<'acc'>): Promise<BankAccount>;
  /**
   * The account that received the payment of a row in `readerId`'s list. It is `attemptAccountId`, the account of the
   * attempt that the row names, unless the row or the list belongs to another account.
   */
  ofRecord(
    db: Queryable,
    record: BankRecord,
    readerId: Id<'acc'>,
    attemptAccountId: Id<'acc'>,
  ): Promise<Id<'acc'>>;
}

/** ifthenpay's credentials of one account. */
export interface BankCredentials {
  mbWayKey: string;
  mbKey: string;
  backofficeKey: string;
  antiPhishingKey: string;
}

export interface BankAccount {
  id: Id<'acc'>;
  credentials: BankCredentials;
}

export interface PushOrder {
  bankOrderId: string;
  amount: Cents;
  /** 9 digits, `9XXXXXXXX`. */
  phoneNumber: string;
  /** What the customer reads in the app, at most 50 characters. */
  description: string;
}

export interface ReferenceOrder {
  bankOrderId: string;
  amount: Cents;
  /** 0 is today; see SERVICE_MULTIBANCO_DAYS. */
  expiryDays: number;
  description: string;
}

/** How a create failed. `detail` is for the operator's log. */
export type CreateFailure =
  /** No connection was made: nothing reached the bank. */
  | { kind: 'unreachable'; detail: string }
  /** A readable refusal. */
  | { kind: 'refused'; reason: 'phone-unknown' | 'other'; detail: string }
  /** The bank may or may not have accepted. */
  | { kind: 'unknown'; detail: string };

export type PushOutcome = { kind: 'accepted'; requestId: string } | CreateFailure;

export type ReferenceOutcome =
  | { kind: 'accepted'; requestId: string | null; entity: string; reference: string; expiresAt: number }
  | CreateFailure;

/** `waiting` covers the bank's "pending" and "expired": only the service's own deadline plus grace closes a push. */
export type PushState =
  /** `identity` equals that of the payment's row in the bank's list (see BankRecord). */
  | { kind: 'paid'; paidAt: number; identity: string }
  | { kind: 'rejected' }
  | { kind: 'declined' }
  | { kind: 'waiting' };

export interface ListFilter {
  requestId?: string;
  bankOrderId?: string;
  /** UTC milliseconds; both or neither. */
  from?: number;
  to?: number;
}

export interface PaymentList {
  records: BankRecord[];
  /** False when a row could not be read: then a missing payment proves nothing. */
  complete: boolean;
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
  bankOrderId: string | null;
  entity: string | null;
  reference: string | null;
  /** The row as read. */
  raw: unknown;
  /** The method key of the row, if it names one: tells apart accounts that share one list. */
  methodKey?: string | null;
}

export interface CallbackNotification {
  accountId: Id<'acc'>;
  bankOrderId: string | null;
  requestId: string | null;
  amount: Cents | null;
  /** The parameters without the key. */
  params: Record<string, string>;
}

/** The bank gave no readable answer: time-out, reset, 5xx, garbage. Ask again later. */
export class BankUnavailable extends Error {
  override readonly name = 'BankUnavailable';
}

/** An attempt as the bank workers see it. */
export interface BankAttempt {
  id: Id<'att'>;
  transactionId: Id<'tx'>;
  accountId: Id<'acc'>;
  method: PaymentMethod;
  state: AttemptState;
  amount: Cents;
  bankOrderId: string;
  requestId: string | null;
}

/** An attempt that is due for a check. */
export interface DueAttempt extends BankAttempt {
  /**
   * `inquire`: ask the bank about this open push. `last-read`: read the bank's record of a reference after its expiry
   * plus grace. `recover`: the process died before it wrote the outcome of the create.
   */
  action: 'inquire' | 'last-read' | 'recover';
  /** When the check was due, UTC milliseconds. */
  checkAt: number | null;
}

/**
 * What the bank workers report to the payments slice, which implements it; banks never import payments. Every call is
 * safe to repeat and resolves after its commit.
 */
export interface SettlementPort {
  /** The attempt that the bank knows under this order id. */
  findAttempt(bankOrderId: string): Promise<BankAttempt | null>;
  /** Attempts whose check is due at `now`, at most `limit`, the most urgent first. */
  dueAttempts(now: number, limit: number): Promise<DueAttempt[]>;
  /** When the next check is due; null when none is planned. */
  nextCheckAt(): Promise<number | null>;
  /** Reserves a due check for this process for a while. False when another process has it. */
  claimCheck(attempt: DueAttempt): Promise<boolean>;
  /** Records rows of the bank's record as receipts, each once, and settles their attempts. Unmatched rows are kept. */
  recordPayments(accountId: Id<'acc'>, records: readonly BankRecord[]): Promise<void>;
  /** Applies the bank's answer about a push, requested at `askedAt`: settles it, lapses it, or plans the next check. */
  applyPushState(attempt: BankAttempt, state: PushState, askedAt: number): Promise<void>;
  /** Plans the next check, with back-off, after the bank was unavailable. */
  deferCheck(attempt: BankAttempt): Promise<void>;
  /** Expires a reference after a complete read of its payments that began at `readAt` and recorded none. */
  expireReference(attempt: BankAttempt, readAt: number): Promise<void>;
  /** Gives up a create whose outcome was never written: an unknown push, a dead reference. */
  recoverCreate(attempt: BankAttempt): Promise<void>;
  /** Counts a complete, recorded read of the account's list, begun at `readAt`, for its unknown pushes. */
  countListRead(accountId: Id<'acc'>, readAt: number): Promise<void>;
}
