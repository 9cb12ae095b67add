import type { Deps } from '../../deps.ts';
import { type BankAccount, BankSilent, type DueAttempt, type Ledger } from '../port.ts';
import { createSilence, type Silence } from './availability.ts';
import { findMoney } from './find-money.ts';
import { createTokenBucket } from './token-bucket.ts';
import { createWorkLoop, type WorkLoop } from './work-loop.ts';

export type InquiryDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'settings' | 'bank' | 'bankAccounts'> &
  Partial<Pick<Deps, 'metrics'>> & {
    ledger: Ledger;
  };

/** Enough to keep the pace while the bank needs its whole deadline for every answer. */
const CONCURRENCY_MAX = 64;

/**
 * The loop that looks after attempts: asks about open pushes, nearest deadline first, reads the record a last time for
 * references past their day, and settles creates that a crash cut off. One pace for all of them.
 */
export function createInquiryLoop(deps: InquiryDeps): WorkLoop {
  const silence = createSilence(deps.log, 'inquiries', deps.metrics);
  return createWorkLoop({
    name: 'inquiries',
    clock: deps.clock,
    log: deps.log,
    concurrencyMax: CONCURRENCY_MAX,
    pace: createTokenBucket(deps.clock, deps.settings.inquiriesPerSecond),
    async due(limit) {
      const attempts = await deps.ledger.dueAttempts(deps.clock.now(), limit);
      return attempts.map((attempt) => ({ key: attempt.id, run: () => lookAfter(deps, silence, attempt) }));
    },
    nextAt: () => deps.ledger.nextCheckAt(),
  });
}

async function lookAfter(deps: InquiryDeps, silence: Silence, attempt: DueAttempt): Promise<void> {
  if (attempt.action === 'recover') {
    await deps.ledger.recover(attempt.id);
    return;
  }
  if (!(await deps.ledger.takeLook(attempt.id, attempt.checkAt))) return;
  const account = await deps.bankAccounts.byId(deps.db.read, attempt.accountId);
  try {
    if (attempt.action === 'inquire') await inquire(deps, account, attempt);
    else await readLast(deps, account, attempt);
    silence.spoke(account.id);
  } catch (error) {
    if (!(error instanceof BankSilent)) throw error;
    silence.silent(account.id, error.message);
    await deps.ledger.bankSilent(attempt.id);
  }
}

async function inquire(deps: InquiryDeps, account: BankAccount, attempt: DueAttempt): Promise<void> {
  if (attempt.requestId === null) throw new Error(`attempt ${attempt.id} is open without a request id`);
  const askedAt = deps.clock.now();
  const state = await deps.bank.inquirePush(account, attempt.requestId);
  await deps.ledger.pushAnswered(attempt.id, state, askedAt);
}

/** Only a record that was read whole may say that nothing paid the reference. */
async function readLast(deps: InquiryDeps, account: BankAccount, attempt: DueAttempt): Promise<void> {
  const startedAt = deps.clock.now();
  const { complete } = await findMoney(deps, account, attempt);
  if (!complete) throw new BankSilent('list: a row about this reference could not be read');
  await deps.ledger.referenceRead(attempt.id, startedAt);
}
