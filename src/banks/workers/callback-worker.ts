import type { Deps } from '../../deps.ts';
import { createDueWorker } from '../../kernel/due-worker.ts';
import { errorText } from '../../kernel/errors.ts';
import { instantFromBankText } from '../../kernel/lisbon.ts';
import type { PeriodicJob } from '../../kernel/periodic.ts';
import { shareCallbacks } from '../accounts.ts';
import { type BankRecord, BankUnavailable } from '../port.ts';
import type { BankAttempt, SettlementPort } from '../settlement-port.ts';
import { type CallbackRow, claimCallback, countCheck, dueCallbacks, nextCallbackAt } from '../store.ts';
import type { Availability } from './availability.ts';
import { bankIds, findPayment } from './find-payment.ts';

export type CallbackWorkerDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'bank' | 'bankAccounts'> & {
  settlement: SettlementPort;
  /** The availability of inquiries, which the inquiry worker reports. */
  inquiries: Pick<Availability, 'recovered'>;
};

/** When the bank's record is read after a callback; reconciliation covers later payments. */
const CHECKS_AFTER_MS = [0, 5000, 30_000, 120_000];
/** No check is planned further ahead, unless the clock was set back since. */
const CHECK_WAIT_MAX_MS = Math.max(...CHECKS_AFTER_MS);
const CONCURRENCY_MAX = 16;
const CHECK_LEASE_MS = 60_000;

/** Creates the worker that confirms callback notifications from the bank's record. */
export function createCallbackWorker(deps: CallbackWorkerDeps): PeriodicJob {
  const { db, clock, log } = deps;
  return createDueWorker({
    name: 'callbacks',
    clock,
    log,
    concurrencyMax: CONCURRENCY_MAX,
    due(limit) {
      const now = clock.now();
      return dueCallbacks(db.read, now, now + CHECK_WAIT_MAX_MS, limit);
    },
    run: (callback) => check(deps, callback),
    nextAt: () => nextCallbackAt(db.read),
  });
}

/** Runs one check. It counts with any result, so that the checks end even when the bank stays unavailable. */
async function check(deps: CallbackWorkerDeps, callback: CallbackRow): Promise<void> {
  const { db, clock, log } = deps;
  if (db.cluster !== null) {
    const claimed = await db.unit((tx) => claimCallback(tx, callback, clock.now() + CHECK_LEASE_MS));
    if (!claimed) return;
  }
  let confirmed = false;
  try {
    confirmed = await confirm(deps, callback);
  } catch (error) {
    const fields = { callbackId: callback.id, detail: errorText(error) };
    if (error instanceof BankUnavailable)
      log.debug(fields, 'the bank did not answer about a callback; retrying');
    else log.error(fields, 'a callback could not be confirmed; retrying');
  }
  const nextAfterMs = CHECKS_AFTER_MS[callback.checks_count + 1];
  const receivedAt = Math.min(callback.received_at, clock.now());
  const checkAt = confirmed || nextAfterMs === undefined ? null : receivedAt + nextAfterMs;
  await db.unit((tx) => countCheck(tx, callback, checkAt));
}

/** True when the bank's record shows the payment that the callback announced. */
async function confirm(deps: CallbackWorkerDeps, callback: CallbackRow): Promise<boolean> {
  const attempt = await attemptOf(deps, callback);
  if (attempt !== null) {
    if (callback.checks_count === 0) warnAboutAmount(deps, callback, attempt);
    if (attempt.method === 'MBWAY' && (await pushIsPaid(deps, attempt))) return true;
  }
  const account = await deps.bankAccounts.byId(deps.db.read, attempt?.account_id ?? callback.account_id);
  const { records } = await findPayment(deps, account, callback);
  return records.some((record) => isAnnounced(callback, record));
}

/** The attempt that the callback names; null for an attempt of an account with another callback key. */
async function attemptOf(deps: CallbackWorkerDeps, callback: CallbackRow): Promise<BankAttempt | null> {
  const { bank_order_id: bankOrderId } = callback;
  const attempt = bankOrderId === null ? null : await deps.settlement.findAttempt(bankOrderId);
  if (attempt === null && callback.checks_count === 0) {
    const fields = { accountId: callback.account_id, bankOrderId, callbackId: callback.id };
    deps.log.warn(fields, 'a bank callback names no order that is known here');
  }
  if (attempt === null || attempt.account_id === callback.account_id) return attempt;
  const [own, other] = await Promise.all(
    [attempt.account_id, callback.account_id].map((id) => deps.bankAccounts.byId(deps.db.read, id)),
  );
  if (own !== undefined && other !== undefined && shareCallbacks(own, other)) return attempt;
  if (callback.checks_count === 0) {
    const fields = {
      attemptId: attempt.id,
      accountId: callback.account_id,
      attemptAccountId: attempt.account_id,
    };
    deps.log.error(fields, 'a callback of another bank account names an attempt');
  }
  return null;
}

/** A differing amount suggests tampering or a fault at the bank. It changes nothing: the bank's record decides. */
function warnAboutAmount(deps: CallbackWorkerDeps, callback: CallbackRow, attempt: BankAttempt): void {
  if (callback.amount_cents === null || callback.amount_cents === attempt.amount_cents) return;
  deps.log.warn(
    { attemptId: attempt.id, amountCents: attempt.amount_cents, callbackCents: callback.amount_cents },
    "a callback's amount differs from the attempt's; the bank's record decides",
  );
}

/** Whether the push is paid, by an inquiry with the stored request id and never with the one in the callback. */
async function pushIsPaid(deps: CallbackWorkerDeps, attempt: BankAttempt): Promise<boolean> {
  if (attempt.state === 'paid') return true;
  if (attempt.state !== 'open' || attempt.request_id === null) return false;
  const account = await deps.bankAccounts.byId(deps.db.read, attempt.account_id);
  const askedAt = deps.clock.now();
  try {
    const state = await deps.bank.inquirePush(account, bankIds(attempt));
    // The push may be settled now, after which nothing inquires about it.
    deps.inquiries.recovered(account.id);
    if (state.kind === 'waiting') return false;
    await deps.settlement.applyPushState(attempt, state, askedAt);
    return state.kind === 'paid';
  } catch (error) {
    // The list may be available when the inquiry is not.
    if (error instanceof BankUnavailable) return false;
    throw error;
  }
}

/**
 * A push has one payment. A reference can be paid again: then only a row as new as the callback is the announced
 * payment, and without a readable time in the callback every check runs.
 */
function isAnnounced(callback: CallbackRow, record: BankRecord): boolean {
  if (record.method === 'MBWAY') return true;
  const { payment_datetime: text } = JSON.parse(callback.params) as Record<string, string | undefined>;
  const announcedAt = text === undefined ? null : instantFromBankText(text);
  return announcedAt !== null && record.paidAt !== null && record.paidAt >= announcedAt;
}
