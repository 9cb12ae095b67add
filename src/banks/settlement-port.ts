import type { Selectable } from 'kysely';
import type { Tx } from '../db/database.ts';
import type { AttemptTable } from '../db/tables/payments.ts';
import type { RefundTable } from '../db/tables/refunds.ts';
import type { Id } from '../kernel/ids.ts';
import type { BankRecord, CallbackNotification, PushState, RefundOutcome } from './port.ts';

/** The columns of an attempt that the bank workers need. */
export type BankAttempt = Pick<
  Selectable<AttemptTable>,
  | ('id' | 'transaction_id' | 'merchant_id' | 'account_id' | 'method' | 'state' | 'amount_cents')
  | ('bank_order_id' | 'request_id' | 'check_at' | 'expires_at')
>;

export interface DueAttempt extends BankAttempt {
  /**
   * `inquire`: send an inquiry about this open push. `last-read`: read the bank's record of a reference after its expiry
   * plus grace. `recover`: the process died before it wrote the outcome of the create.
   */
  action: 'inquire' | 'last-read' | 'recover';
}

/**
 * The interface of the payments slice to the bank workers; banks never import payments. Every call is
 * idempotent and resolves after its commit.
 */
export interface SettlementPort {
  findAttempt(bankOrderId: string): Promise<BankAttempt | null>;
  /** Attempts whose check is due at `now`, at most `limit`, the most urgent first. */
  dueAttempts(now: number, limit: number): Promise<DueAttempt[]>;
  /** When the next check is due; null when none is planned. */
  nextCheckAt(): Promise<number | null>;
  /** Leases a due check to this process. False when another process holds the lease. */
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
  /** Unknown pushes of an account, in pages by id: those after `after`, at most `limit`. */
  unknownPushes(accountId: Id<'acc'>, after: string, limit: number): Promise<BankAttempt[]>;
  /** Counts a complete, recorded read of the account's list, begun at `readAt`, for the unknown pushes created since `since`. */
  countListRead(accountId: Id<'acc'>, since: number, readAt: number): Promise<void>;
}

/** The columns of a refund that the worker sends while it is `requested`, or checks while it is `accepted`. */
export type DueRefund = Pick<
  Selectable<RefundTable>,
  'id' | 'account_id' | 'state' | 'request_id' | 'amount_cents' | 'reason' | 'bank_refund_id' | 'check_at'
>;

/** The columns of a refund whose call has no outcome yet. */
export type SentRefund = Pick<Selectable<RefundTable>, 'id' | 'instance_id' | 'sent_at' | 'created_at'>;

/** The refund interface of the payments slice to the bank workers. */
export interface RefundPort {
  /** Refunds to send, without those of the accounts `except`, and accepted refunds to check at `now`. */
  dueRefunds(now: number, limit: number, except?: readonly Id<'acc'>[]): Promise<DueRefund[]>;
  sentRefunds(limit: number): Promise<SentRefund[]>;
  /** Claims the refund for sending or a check by this process. False when another process has it, or its state has changed. */
  claim(refund: DueRefund, instanceId: string | null): Promise<boolean>;
  /** Records the outcome of the call or of a check. */
  applyOutcome(id: Id<'ref'>, outcome: RefundOutcome): Promise<void>;
  /** Marks a refund as unknown because its process died during the call. */
  giveUp(id: Id<'ref'>): Promise<void>;
  /** Settles the refund that a notification is about, in the transaction that records it. A repetition settles nothing. */
  applyNotification(tx: Tx, notification: RefundNotification): Promise<void>;
}

export interface RefundNotification
  extends Pick<CallbackNotification, 'accountIds' | 'requestId' | 'amount'> {
  /** The same for repetitions of one notification. */
  identity: string;
}
