import type { Presence } from '../../db/cluster-bus.ts';
import type { Deps } from '../../deps.ts';
import { createDueWorker } from '../../kernel/due-worker.ts';
import { errorText } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import type { PeriodicJob } from '../../kernel/periodic.ts';
import { BankUnavailable, type RefundOutcome } from '../port.ts';
import type { DueRefund, RefundPort, SentRefund } from '../settlement-port.ts';

export type RefundWorkerDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'settings' | 'bank' | 'bankAccounts'> & {
  refunds: RefundPort;
};

const CONCURRENCY_MAX = 8;
const SENT_READ_MAX = 1000;
/** The command line cannot wake the server of a SQLite database, which polls for its refunds. */
const POLL_MS = 500;
/** With the cluster bus, polling only covers a lost message. */
const CLUSTER_POLL_MS = 5000;
/** How long a process must be missing to count as dead. */
const GONE_MS = 3000;
const OUTCOME_TRIES_MAX = 5;
const OUTCOME_RETRY_MS = 1000;
/** How long after the bank's time-out the refund of an invisible process counts as lost. */
const INVISIBLE_SLACK_MS = 60_000;
/** How long the refunds of an account wait whose credentials could not be read. */
const UNREADABLE_RETRY_MS = 60_000;

/**
 * Creates the worker that sends refunds, each once, checks accepted ones, and makes those unknown whose process died during the call. An
 * outcome that arrives later still counts.
 */
export function createRefundWorker(deps: RefundWorkerDeps): PeriodicJob {
  const { db, clock, log, refunds } = deps;
  const active = new Set<Id<'ref'>>();
  let presence: Presence | null = null;
  /** Since when instances have been missing from the cluster bus; null before the first look, which a restart makes. */
  let missingSince: ReadonlyMap<string, number> | null = null;
  /** Accounts that could not be read, with the time of the next try, so that their refunds do not delay those of others. */
  const unreadable = new Map<Id<'acc'>, number>();

  async function giveUpLost(): Promise<void> {
    const sent = (await refunds.sentRefunds(SENT_READ_MAX)).filter(({ id }) => !active.has(id));
    const ids = [...new Set(sent.flatMap(({ instanceId }) => instanceId ?? []))];
    const gone = ids.length === 0 ? [] : ((await db.cluster?.findGone(ids)) ?? []);
    const before = missingSince;
    const now = clock.now();
    const since = new Map(gone.map((id) => [id, before?.get(id) ?? now]));
    // A process that lost its connection is missing until it has reconnected.
    const isGone = (id: string) =>
      since.has(id) && (before === null || now - (since.get(id) ?? now) >= GONE_MS);
    for (const refund of sent) if (isLost(refund, isGone)) await refunds.giveUp(refund.id);
    missingSince = since;
  }

  function isLost({ instanceId, sentAt }: SentRefund, isGone: (id: string) => boolean): boolean {
    // One process serves a SQLite database, and this one does not run the call.
    if (db.cluster === null || (instanceId !== null && instanceId === presence?.instanceId)) return true;
    if (instanceId !== null) return isGone(instanceId);
    return clock.now() >= sentAt + deps.settings.bankTimeoutMs + INVISIBLE_SLACK_MS;
  }

  async function run(refund: DueRefund): Promise<void> {
    active.add(refund.id);
    try {
      // A check is claimed first, which moves it behind the others; a refund is sent once its account is known to be readable.
      const claim = () => refunds.claim(refund, presence?.instanceId ?? null);
      const isCheck = refund.action.kind === 'inquire';
      if (isCheck && !(await claim())) return;
      const account = await readAccount(refund.accountId);
      if (!isCheck && !(await claim())) return;
      const outcome = await outcomeOf(refund, account);
      if (outcome !== null) await record(refund.id, outcome);
    } finally {
      active.delete(refund.id);
    }
  }

  async function readAccount(id: Id<'acc'>) {
    try {
      return await deps.bankAccounts.byId(db.read, id);
    } catch (error) {
      unreadable.set(id, clock.now() + UNREADABLE_RETRY_MS);
      throw error;
    }
  }

  /** The accounts whose refunds wait. A time too far ahead was set by a clock that was set back since. */
  function waitingAccounts(): Id<'acc'>[] {
    const now = clock.now();
    for (const [id, at] of unreadable) if (at <= now || at > now + UNREADABLE_RETRY_MS) unreadable.delete(id);
    return [...unreadable.keys()];
  }

  /** The outcome of the call; null when an accepted refund is still under way. */
  async function outcomeOf(
    { action, id }: DueRefund,
    account: Parameters<typeof deps.bank.refund>[0],
  ): Promise<RefundOutcome | null> {
    if (action.kind === 'send') {
      const unknown = (error: unknown) => ({ kind: 'unknown', detail: errorText(error) }) as const;
      return deps.bank.refund(account, action.order).catch(unknown);
    }
    try {
      const state = await deps.bank.inquireRefund(account, action.bankRefundId);
      return state.kind === 'waiting' ? null : state;
    } catch (error) {
      if (!(error instanceof BankUnavailable)) throw error;
      log.debug({ refundId: id, detail: error.message }, 'the bank did not answer about a refund; retrying');
      return null;
    }
  }

  async function record(id: Id<'ref'>, outcome: RefundOutcome): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await refunds.applyOutcome(id, outcome);
      } catch (error) {
        const fields = { refundId: id, outcome: outcome.kind, detail: errorText(error) };
        log.error(fields, 'the outcome of a refund could not be written; retrying');
        if (tries === OUTCOME_TRIES_MAX) throw error;
        await new Promise<void>((resolve) => clock.after(OUTCOME_RETRY_MS, resolve));
      }
    }
  }

  function pollMs(): number {
    if (db.cluster === null) return POLL_MS;
    // A process that is missing is looked for again as soon as that decides.
    return missingSince !== null && missingSince.size > 0 ? GONE_MS : CLUSTER_POLL_MS;
  }

  const job = createDueWorker({
    name: 'refunds',
    clock,
    log,
    concurrencyMax: CONCURRENCY_MAX,
    async due(limit) {
      await presence?.ready;
      await giveUpLost();
      const due = await refunds.dueRefunds(clock.now(), limit, waitingAccounts());
      return due.map((refund) => ({ key: refund.id, run: () => run(refund) }));
    },
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
