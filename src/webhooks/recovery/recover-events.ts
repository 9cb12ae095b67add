import { recordAudit } from '../../audit/store.ts';
import { afterCommit, type Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { isoInstant } from '../../kernel/clock.ts';
import { Refusal } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { requireMerchant } from '../../merchants/store.ts';
import { type RecoveryView, recoveryView } from './list.ts';
import { latestOnly, type Missed, recoveryDeliveries, stillMissed } from './rules.ts';
import {
  completeRecovery,
  insertRecovery,
  lastMissed,
  lockSiblings,
  type MissedPlace,
  missedPage,
  queueRecoveries,
  transactionSequences,
} from './store.ts';

/** Deliveries read and queued in one database transaction. */
const PAGE_MAX = 200;

export interface RecoveryRequest {
  merchantId: Id<'mer'>;
  /** UTC milliseconds: events whose delivery ended without success since then are recovered. */
  since: number;
  /** Only the latest event of each transaction, and no test events. */
  latest: boolean;
}

type RecoverDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'wakeDispatcher' | 'actor'>;

/**
 * Queues a new delivery for each undelivered or skipped event of a merchant since a given time. Works in pages, yields the
 * number queued after each and returns the finished run. An interrupted run can be repeated: queued events are not queued
 * twice. Throws OperatorError when the merchant is unknown, its webhook is off or the time is in the future.
 */
export async function* recoverEvents(
  deps: RecoverDeps,
  request: RecoveryRequest,
): AsyncGenerator<number, RecoveryView> {
  const { db, clock } = deps;
  const run = await begin(deps, request);
  // A run does not recover what fails after its start.
  const last = await lastMissed(db.read, request.merchantId);
  let after: MissedPlace | null = { finishedAt: request.since, id: '' };
  for (let queued = 0; last !== null && after !== null; ) {
    const page = await recoverPage(deps, { ...request, run, after, last });
    queued += page.queued;
    after = page.next;
    yield queued;
  }
  return await db.unit(async (tx) => await recoveryView(tx, await completeRecovery(tx, run, clock.now())));
}

async function begin(deps: RecoverDeps, { merchantId, since, latest }: RecoveryRequest): Promise<Id<'rcv'>> {
  const { db, clock, ids } = deps;
  const now = clock.now();
  if (since > now) {
    throw new Refusal('moment_to_come', `${isoInstant(since)} is in the future: give a time in the past`);
  }
  const id = ids('rcv');
  await db.unit(async (tx) => {
    const merchant = await requireMerchant(tx, merchantId);
    if (merchant.webhook_url === null || merchant.webhook_enabled === 0) {
      throw new Refusal(
        'webhook_off',
        `the webhook of ${merchantId} is off; turn it on with "merchant set ${merchantId} --webhook-url https://… --webhook-enabled true" first`,
      );
    }
    await insertRecovery(tx, {
      id,
      merchant_id: merchantId,
      since_at: since,
      latest: latest ? 1 : 0,
      automatic: 0,
      created_at: now,
      queued_at: null,
    });
    await recordAudit(tx, deps, {
      action: 'deliveries.recovered',
      merchantId,
      target: id,
      details: { since: isoInstant(since), latest },
    });
  });
  return id;
}

interface Page extends RecoveryRequest {
  run: Id<'rcv'>;
  after: MissedPlace;
  last: MissedPlace;
}

async function recoverPage(
  deps: RecoverDeps,
  page: Page,
): Promise<{ queued: number; next: MissedPlace | null }> {
  return await deps.db.unit(async (tx) => {
    const ended = await missedPage(tx, page.merchantId, { ...page, limit: PAGE_MAX });
    const siblings = await lockSiblings(tx, ended);
    const missed = stillMissed(ended, siblings, await transactionSequences(tx, ended), page.run);
    const { queued } = await queueMissed(tx, deps, page, page.latest ? latestOnly(missed) : missed);
    return { queued, next: ended.length < PAGE_MAX ? null : (ended.at(-1) ?? null) };
  });
}

/** Queues deliveries of these events for a run. Returns the first one and how many were queued. */
export async function queueMissed(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'ids' | 'wakeDispatcher'>,
  { run, merchantId }: Pick<Page, 'run' | 'merchantId'>,
  missed: readonly Missed[],
) {
  const newId = () => deps.ids('dlv');
  const rows = recoveryDeliveries(missed, { run, merchantId, now: deps.clock.now(), newId });
  const queued = await queueRecoveries(tx, rows);
  if (queued > 0) afterCommit(tx, deps.wakeDispatcher);
  return { first: rows[0]?.id ?? null, queued };
}
