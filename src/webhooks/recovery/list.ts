import type { Selectable } from 'kysely';
import type { Queryable } from '../../db/database.ts';
import type { RecoveryTable } from '../../db/tables/webhooks.ts';
import type { Deps } from '../../deps.ts';
import { isoInstant } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { requireMerchant } from '../../merchants/store.ts';
import { countRecovered, recoveriesOf } from './store.ts';

const RUNS_MAX = 20;

/** A recovery run and its progress. */
export type RecoveryView = Awaited<ReturnType<typeof recoveryView>>;

/** Returns the merchant's newest 20 recovery runs, newest first. Throws OperatorError when the merchant does not exist. */
export async function listRecoveries({ db }: Pick<Deps, 'db'>, merchantId: Id<'mer'>) {
  await requireMerchant(db.read, merchantId);
  const runs = await recoveriesOf(db.read, merchantId, RUNS_MAX);
  return await Promise.all(runs.map((run) => recoveryView(db.read, run)));
}

/** Returns a run with the states of its deliveries. */
export async function recoveryView(db: Queryable, run: Selectable<RecoveryTable>) {
  const states = { due: 0, delivered: 0, undelivered: 0, skipped: 0 };
  for (const { state, count } of await countRecovered(db, run.id)) states[state] = count;
  return {
    recoveryId: run.id,
    since: isoInstant(run.since_at),
    latest: run.latest === 1,
    startedAt: isoInstant(run.created_at),
    /** False while events are being queued, and permanently after an interruption: start a new run then. */
    complete: run.queued_at !== null,
    /** The sum of the four counts after it. */
    queued: Object.values(states).reduce((sum, count) => sum + count, 0),
    ...states,
  };
}
