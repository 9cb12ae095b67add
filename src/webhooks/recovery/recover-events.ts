import { recordAudit } from '../../audit/store.ts';
import { afterCommit, type Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { isoInstant } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { lockTransactions } from '../delivery/store.ts';
import { type Missed, newestOnly, recoveryDeliveries, stillMissed } from './rules.ts';
import {
  completeRecovery,
  deliveriesOfEvents,
  findRecovery,
  findWebhook,
  insertRecovery,
  lanesOfTransactions,
  lastMissed,
  type MissedPlace,
  missedPage,
  queueRecoveries,
} from './store.ts';
import { type RecoveryView, recoveryView } from './view.ts';

/** What one unit looks at, and queues, at most. */
const PAGE_MAX = 200;

export interface RecoveryOrder {
  merchantId: Id<'mer'>;
  /** UTC milliseconds: what ended in vain since then is recovered. */
  since: number;
  /** Only the latest event of each transaction; test events, which have none, are then left out. */
  latest: boolean;
}

type RecoverDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'wakeDispatcher' | 'actor'>;

/**
 * Queues a new delivery for every event of the merchant that was undelivered or skipped since a moment and has not been
 * delivered otherwise; they drain in a lane of their own. Works in pages, each a unit: yields how many are queued after each, and
 * returns the finished run. It may be stopped anywhere and run again: what waits already is not queued twice. Throws OperatorError when the
 * merchant is unknown or has its webhook off (all of it would only be skipped once more), or when the moment is yet to come.
 */
export async function* recoverEvents(
  deps: RecoverDeps,
  order: RecoveryOrder,
): AsyncGenerator<number, RecoveryView> {
  const { db, clock } = deps;
  const run = await begin(deps, order);
  // What ends after the beginning is not looked at: a run cannot chase its own failures.
  const last = await lastMissed(db.read, order.merchantId);
  let after: MissedPlace | null = { finishedAt: order.since, id: '' };
  for (let queued = 0; last !== null && after !== null; ) {
    const page = await recoverPage(deps, { ...order, run, after, last });
    queued += page.queued;
    after = page.next;
    yield queued;
  }
  return await db.unit(async (tx) => {
    await completeRecovery(tx, run, clock.now());
    const row = await findRecovery(tx, run);
    if (!row) throw new Error(`recovery ${run} is gone`);
    return await recoveryView(tx, row);
  });
}

async function begin(deps: RecoverDeps, order: RecoveryOrder): Promise<Id<'rcv'>> {
  const { merchantId, since, latest } = order;
  const { db, clock, ids } = deps;
  const now = clock.now();
  if (since > now) throw new OperatorError(`${isoInstant(since)} is yet to come: give a moment in the past`);
  const id = ids('rcv');
  await db.unit(async (tx) => {
    const webhook = await findWebhook(tx, merchantId);
    if (!webhook) {
      throw new OperatorError(`there is no merchant ${merchantId}; "merchant list" shows all of them`);
    }
    if (webhook.webhook_url === null || webhook.webhook_enabled === 0) {
      throw new OperatorError(
        `the webhook of ${merchantId} is off; turn it on with "merchant set ${merchantId} --webhook-url https://… --webhook-enabled true" first`,
      );
    }
    await insertRecovery(tx, {
      id,
      merchant_id: merchantId,
      since_at: since,
      latest: latest ? 1 : 0,
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

interface Page extends RecoveryOrder {
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
    const missed = ended.length === 0 ? [] : await missedEvents(tx, page, ended);
    const rows = recoveryDeliveries(missed, {
      run: page.run,
      merchantId: page.merchantId,
      now: deps.clock.now(),
      newId: () => deps.ids('dlv'),
    });
    const queued = rows.length === 0 ? 0 : await queueRecoveries(tx, rows);
    if (queued > 0) afterCommit(tx, deps.wakeDispatcher);
    return { queued, next: ended.length < PAGE_MAX ? null : (ended.at(-1) ?? null) };
  });
}

async function missedEvents(
  tx: Tx,
  { run, latest }: Page,
  ended: Awaited<ReturnType<typeof missedPage>>,
): Promise<Missed[]> {
  // Nothing of these lanes may end between the look at them and what is written because of it.
  await lockTransactions(
    tx,
    ended.flatMap((delivery) => delivery.transaction_id ?? []),
  );
  const eventIds = [...new Set(ended.map((delivery) => delivery.event_id))];
  const missed = stillMissed(ended, await deliveriesOfEvents(tx, eventIds), run);
  const transactions = [...new Set(missed.flatMap(({ transactionId }) => transactionId ?? []))];
  const lanes = transactions.length === 0 ? [] : await lanesOfTransactions(tx, transactions);
  const wanted = latest ? newestOnly(missed, lanes) : missed;
  const recovering = new Map(lanes.map((lane) => [lane.transaction_id, lane.recovering]));
  return wanted.map((event) => ({ ...event, behind: recovering.get(event.transactionId) ?? null }));
}
