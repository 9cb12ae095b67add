import type { Deps } from '../../deps.ts';
import { createDueWorker } from '../../kernel/due-worker.ts';
import type { PeriodicJob } from '../../kernel/periodic.ts';
import { type BankAccount, BankUnavailable } from '../port.ts';
import type { DueAttempt, SettlementPort } from '../settlement-port.ts';
import type { Availability } from './availability.ts';
import { bankIds, findPayment } from './find-payment.ts';

export type InquiryWorkerDeps = Pick<
  Deps,
  'db' | 'clock' | 'log' | 'metrics' | 'settings' | 'bank' | 'bankAccounts'
> & { settlement: SettlementPort };

/** Enough for the rate limit while every answer of the bank takes the full timeout. */
const CONCURRENCY_MAX = 64;

/**
 * Creates the worker that checks attempts: it inquires about open pushes, reads the payments of expired references a
 * last time, and recovers creates that a crash interrupted.
 */
export function createInquiryWorker(deps: InquiryWorkerDeps, availability: Availability): PeriodicJob {
  const { clock, log, settings, settlement } = deps;
  return createDueWorker({
    name: 'inquiries',
    clock,
    log,
    concurrencyMax: CONCURRENCY_MAX,
    perSecond: settings.inquiriesPerSecond,
    due: (limit) => settlement.dueAttempts(clock.now(), limit),
    run: (attempt) => check(deps, availability, attempt),
    async nextAt() {
      // A push whose inquiry failed may have been settled by the list.
      await availability.endUnchecked(
        async (bankOrderId) => (await settlement.findAttempt(bankOrderId))?.state === 'open',
      );
      return settlement.nextCheckAt();
    },
  });
}

async function check(
  deps: InquiryWorkerDeps,
  availability: Availability,
  attempt: DueAttempt,
): Promise<void> {
  const { settlement } = deps;
  if (attempt.action === 'recover') return settlement.recoverCreate(attempt);
  // If only this clock is ahead, the check would end the attempt too early.
  if (attempt.expires_at !== null && attempt.expires_at <= deps.clock.now()) await deps.clock.correct?.();
  if (!(await settlement.claimCheck(attempt))) return;
  try {
    const account = await deps.bankAccounts.byId(deps.db.read, attempt.account_id);
    if (attempt.action === 'inquire') await inquire(deps, account, attempt);
    else await readLast(deps, account, attempt);
    availability.recovered(account.id);
  } catch (error) {
    // After any failure, unreadable credentials included, so that failing attempts do not delay the others.
    await settlement.deferCheck(attempt);
    if (!(error instanceof BankUnavailable)) throw error;
    availability.unavailable(attempt.account_id, error.message, attempt.bank_order_id);
  }
}

async function inquire(deps: InquiryWorkerDeps, account: BankAccount, attempt: DueAttempt): Promise<void> {
  if (attempt.request_id === null) throw new Error(`attempt ${attempt.id} is open without a request id`);
  const askedAt = deps.clock.now();
  const state = await deps.bank.inquirePush(account, bankIds(attempt));
  await deps.settlement.applyPushState(attempt, state, askedAt);
}

/** Only a completely readable list can prove that a reference was not paid. */
async function readLast(deps: InquiryWorkerDeps, account: BankAccount, attempt: DueAttempt): Promise<void> {
  const readAt = deps.clock.now();
  const { complete } = await findPayment(deps, account, attempt);
  if (!complete) throw new BankUnavailable('list: a row about this reference could not be read');
  await deps.settlement.expireReference(attempt, readAt);
}
