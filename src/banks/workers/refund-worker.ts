import type { Presence } from '../../db/cluster-bus.ts';
import type { Deps } from '../../deps.ts';
import { createDueWorker } from '../../kernel/due-worker.ts';
import { errorText } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import type { PeriodicJob } from '../../kernel/periodic.ts';
import { retryWrite } from '../../kernel/retry-write.ts';
import { type BankAccount, BankUnavailable, type RefundOutcome } from '../port.ts';
import type { DueRefund, RefundPort } from '../settlement-port.ts';
import { createLostRefunds, GONE_MS } from './lost-refunds.ts';

type RefundWorkerDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'settings' | 'bank' | 'bankAccounts'> & {
  refunds: RefundPort;
};

const CONCURRENCY_MAX = 8;
/** The server polls for refunds of the command line, which cannot wake the server of a SQLite database. */
const POLL_MS = 500;
/** With the cluster bus, polling only covers a lost message. */
const CLUSTER_POLL_MS = 5000;
/** How long refunds wait when the credentials of their account could not be read. */
const UNREADABLE_RETRY_MS = 60_000;

/**
 * Creates the worker that sends each refund once, checks accepted refunds, and marks refunds as unknown whose process died during
 * the call. An outcome that arrives later still counts.
 */
export function createRefundWorker(deps: RefundWorkerDeps): PeriodicJob {
  const { db, clock, refunds } = deps;
  const active = new Set<Id<'ref'>>();
  const accounts = createAccountReader(deps);
  const lost = createLostRefunds(deps);
  let presence: Presence | null = null;

  async function run(refund: DueRefund, isStopping: () => boolean): Promise<void> {
    active.add(refund.id);
    try {
      // A check is claimed first, which defers it behind the others; a refund is claimed only after its account could be read.
      const claim = () => refunds.claim(refund, presence?.instanceId ?? null);
      const isCheck = refund.state === 'accepted';
      const bankId = isCheck ? refund.bank_refund_id : refund.request_id;
      if (bankId === null)
        throw new Error(`refund ${refund.id} is ${refund.state} without an id of the bank`);
      if (isCheck && !(await claim())) return;
      const account = await accounts.read(refund.account_id);
      const claimedAt = clock.now();
      if (!isCheck && !(await claim())) return;
      const outcome = await outcomeOf(deps, account, refund, bankId, claimedAt);
      if (outcome !== null) await record(deps, refund.id, outcome, isStopping);
    } finally {
      active.delete(refund.id);
    }
  }

  function pollMs(): number {
    if (db.cluster === null) return POLL_MS;
    // A missing process is checked again as soon as it can count as dead.
    return lost.isAnyMissing() ? GONE_MS : CLUSTER_POLL_MS;
  }

  const job = createDueWorker({
    name: 'refunds',
    clock,
    log: deps.log,
    concurrencyMax: CONCURRENCY_MAX,
    async due(limit) {
      await presence?.ready;
      await lost.giveUp(active, presence?.instanceId ?? null);
      return refunds.dueRefunds(clock.now(), limit, accounts.unreadable());
    },
    run,
    nextAt: async () => clock.now() + pollMs(),
  });
  return {
    ...job,
    start() {
      presence = db.cluster?.join() ?? null;
      job.start();
    },
    async stop() {
      await job.stop();
      await presence?.leave();
    },
  };
}

/** Reads bank accounts and caches read failures for a while, so that the refunds of unreadable accounts do not delay others. */
function createAccountReader({ db, clock, bankAccounts }: RefundWorkerDeps) {
  const retryAt = new Map<Id<'acc'>, number>();
  return {
    async read(id: Id<'acc'>): Promise<BankAccount> {
      try {
        return await bankAccounts.byId(db.read, id);
      } catch (error) {
        retryAt.set(id, clock.now() + UNREADABLE_RETRY_MS);
        throw error;
      }
    },
    /** The accounts whose refunds wait. A time too far ahead was set before the clock was set back. */
    unreadable(): Id<'acc'>[] {
      const now = clock.now();
      for (const [id, at] of retryAt) if (at <= now || at > now + UNREADABLE_RETRY_MS) retryAt.delete(id);
      return [...retryAt.keys()];
    },
  };
}

/** The outcome of the call; null when an accepted refund is still under way. A refund is not sent long after its claim. */
async function outcomeOf(
  { bank, log, clock, settings }: RefundWorkerDeps,
  account: BankAccount,
  { id, state, amount_cents: amount, reason }: DueRefund,
  bankId: string,
  claimedAt: number,
): Promise<RefundOutcome | null> {
  if (state === 'requested') {
    // Another process may have marked it as unknown, and the operator may have retried it. The clock may have been set back.
    if (Math.abs(clock.now() - claimedAt) >= settings.bankTimeoutMs)
      return { kind: 'unreachable', detail: 'the service stalled before it called the bank' };
    const unknown = (error: unknown) => ({ kind: 'unknown', detail: errorText(error) }) as const;
    return bank.refund(account, { refundId: id, requestId: bankId, amount, reason }).catch(unknown);
  }
  try {
    const answer = await bank.inquireRefund(account, bankId);
    return answer.kind === 'waiting' ? null : answer;
  } catch (error) {
    if (!(error instanceof BankUnavailable)) throw error;
    log.debug({ refundId: id, detail: error.message }, 'the bank did not answer about a refund; retrying');
    return null;
  }
}

async function record(
  { refunds, clock, log }: RefundWorkerDeps,
  id: Id<'ref'>,
  outcome: RefundOutcome,
  isStopping: () => boolean,
): Promise<void> {
  const write = () => refunds.applyOutcome(id, outcome);
  return retryWrite(clock, isStopping, write, (error) => {
    const fields = { refundId: id, outcome: outcome.kind, detail: errorText(error) };
    log.error(fields, 'the outcome of a refund could not be written; retrying');
  });
}
