import type { Queryable } from '../db/database.ts';
import type { Id } from '../kernel/ids.ts';
import type { Cents } from '../kernel/money.ts';

/** What the service asks of any acquirer, and what an acquirer's answer can mean. One adapter file per acquirer. */
export interface Bank {
  /** Sends one push. Never repeated by the adapter: a repetition could charge twice. */
  createPush(account: BankAccount, push: PushOrder): Promise<PushOutcome>;
  /** Makes one reference. Never repeated by the adapter. */
  createReference(account: BankAccount, order: ReferenceOrder): Promise<ReferenceOutcome>;
  /** The state of a push, live from the bank. Throws BankSilent when no readable answer came. */
  inquirePush(account: BankAccount, requestId: string): Promise<PushState>;
  /**
   * The bank's record of received payments that match `filter`, complete: an answer at the bank's row limit is read
   * again in parts. Throws BankSilent when any part had no readable answer.
   */
  listPayments(
    account: BankAccount,
    filter: ListFilter,
    /** Told of every row that could not be made a record: such a read is no proof that something was not paid. */
    unreadable?: (row: unknown) => void,
  ): Promise<BankRecord[]>;
  /** Tells the bank where to call back for this account. Throws BankSilent. */
  registerCallback(account: BankAccount, callbackUrl: string): Promise<void>;
  /** Reads an inbound call of the bank. `trust: 'hint'` means: credit nothing before the record was read. */
  verifyCallback(query: URLSearchParams, accounts: readonly BankAccount[]): CallbackVerdict;
}

/** The accounts at the bank: one default and, where set, one per merchant. Superseded ones stay readable. */
export interface BankAccounts {
  /** The account that a new attempt of this merchant uses; null when none is set. */
  current(db: Queryable, merchantId: Id<'mer'>): Promise<BankAccount | null>;
  /** The account that an attempt named. */
  byId(db: Queryable, id: Id<'acc'>): Promise<BankAccount>;
}

/** ifthenpay's credentials of one account; see research: two method keys, the account's key, the callback's secret. */
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
  /** What the shopper reads in the app, at most 50 characters. */
  description: string;
}

export interface ReferenceOrder {
  bankOrderId: string;
  amount: Cents;
  /** 0 is today; see SERVICE_MULTIBANCO_DAYS. */
  expiryDays: number;
  description: string;
}

/** What became of a create. `detail` is for the operator's log. */
export type CreateFailure =
  /** No connection was made: nothing reached the bank. */
  | { kind: 'unreachable'; detail: string }
  /** A readable no. */
  | { kind: 'refused'; reason: 'phone-unknown' | 'other'; detail: string }
  /** The bank may or may not have accepted. */
  | { kind: 'unknown'; detail: string };

export type PushOutcome = { kind: 'accepted'; requestId: string } | CreateFailure;

export type ReferenceOutcome =
  | { kind: 'accepted'; requestId: string | null; entity: string; reference: string; expiresAt: number }
  | CreateFailure;

/** `waiting` covers the bank's "pending" and "expired": only our own deadline, after grace, closes a push. */
export type PushState =
  /** `identity` is the one that the bank's list row of the same payment will have (see BankRecord). */
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

/** One row of the bank's record of received payments. */
export interface BankRecord {
  /** From the bank's row alone: the same money always has the same identity, other money never. */
  identity: string;
  method: 'MBWAY' | 'REFERENCE' | null;
  amount: Cents;
  /** The bank's time of payment, UTC milliseconds; null when its text is unreadable. */
  paidAt: number | null;
  requestId: string | null;
  bankOrderId: string | null;
  entity: string | null;
  reference: string | null;
  /** The row as read. */
  raw: unknown;
  /** The method key that the money came in by, if the row names it: tells accounts that share one list apart. */
  methodKey?: string | null;
}

export interface CallbackHint {
  accountId: Id<'acc'>;
  bankOrderId: string | null;
  requestId: string | null;
  amount: Cents | null;
  /** The parameters less the key. */
  params: Record<string, string>;
}

export type CallbackVerdict = { kind: 'refused' } | { kind: 'accepted'; trust: 'hint'; hint: CallbackHint };

/** The bank gave no readable answer to a question: time-out, reset, 5xx, garbage. Nothing was learnt; ask again later. */
export class BankSilent extends Error {
  override readonly name = 'BankSilent';
}

/** An attempt that somebody must look after now. */
export interface DueAttempt {
  id: Id<'att'>;
  accountId: Id<'acc'>;
  bankOrderId: string;
  requestId: string | null;
  /**
   * `inquire`: ask the bank about this open push. `last-read`: a reference past its last day plus grace, read the
   * bank's record once more. `recover`: a create that died before its outcome was written.
   */
  action: 'inquire' | 'last-read' | 'recover';
  /** Since when this look is due, UTC milliseconds. */
  checkAt: number | null;
}

/**
 * The payments' side of the bank desk, handed over by app.ts: banks never import payments. Each call is one or more
 * units of work, safe to repeat, and resolves after its commit.
 */
export interface Ledger {
  /** Attempts whose look is due at `now`, nearest deadline first, at most `limit`. */
  dueAttempts(now: number, limit: number): Promise<DueAttempt[]>;
  /** When the next look falls due; null when none is planned. */
  nextCheckAt(): Promise<number | null>;
  /** Takes the look that was due at `checkAt`. False when another process has it; it is due again should that one die over it. */
  takeLook(attemptId: Id<'att'>, checkAt: number | null): Promise<boolean>;
  /** Records the bank's rows as receipts, once each, and moves what they move. Rows that fit no attempt are kept, unmatched. */
  record(accountId: Id<'acc'>, records: readonly BankRecord[]): Promise<void>;
  /**
   * The bank's readable answer about a push, asked for at `askedAt`; settles it, lapses it when its time was over by
   * then, or plans the next look.
   */
  pushAnswered(attemptId: Id<'att'>, state: PushState, askedAt: number): Promise<void>;
  /** The bank was silent about this attempt: plan the next look with back-off. */
  bankSilent(attemptId: Id<'att'>): Promise<void>;
  /**
   * A last read about a reference, begun at `startedAt`, is complete (its rows were recorded first): expired, if it
   * began after the grace and nothing paid it.
   */
  referenceRead(attemptId: Id<'att'>, startedAt: number): Promise<void>;
  /** A create whose outcome was never written: an unknown push, a dead reference. */
  recover(attemptId: Id<'att'>): Promise<void>;
  /** A complete read of the account's list, begun at `startedAt`, was recorded: counts for unknown pushes. */
  listRead(accountId: Id<'acc'>, startedAt: number): Promise<void>;
  /** Whether the transaction's attempt of this bank order id has its money already (a hint then needs no further look). */
  isPaid(bankOrderId: string): Promise<boolean>;
}
