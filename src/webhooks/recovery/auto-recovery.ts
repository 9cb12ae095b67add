import { afterCommit, type Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { CLOCK_DIFFERENCE_MS_MAX } from '../../kernel/clock.ts';
import { errorText } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { createPeriodicJob, type PeriodicJob } from '../../kernel/periodic.ts';
import { selectMerchant } from '../../merchants/store.ts';
import { finishDeliveries, lockTransactions, unblockNext } from '../delivery/store.ts';
import {
  type AutoRecoveryRow,
  type AutoRecoveryTimes,
  autoRecovering,
  changeState,
  deleteState,
  deliveredAfter,
  deliveryEnd,
  insertState,
  lockQueued,
  lockState,
  queuedOf,
  switchedOff,
} from './auto-store.ts';
import { queueMissed } from './recover-events.ts';
import { isBehindLater, type Missed, notSuperseded, oldestFirst, stillMissed } from './rules.ts';
import {
  completeRecovery,
  insertRecovery,
  lastMissed,
  lockSiblings,
  missedPage,
  transactionSequences,
} from './store.ts';

export type AutoRecoveryDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'settings' | 'log' | 'wakeDispatcher'>;

const EVERY_MS = 1000;
/** The longest interval on PostgreSQL, because the idle queries of all processes add up; a shorter wait shortens it. */
const CLUSTER_EVERY_MS_MAX = 5000;
const MERCHANTS_MAX = 200;
/** Missed deliveries that one database transaction checks. */
const PAGE_MAX = 200;
/** Events missed longer ago than this when automatic recovery was switched on need a manual recovery. */
const HISTORY_MS = 35 * 86_400_000;
/** Further recoveries of one event after the waits; an endpoint that refuses only this event must not receive it forever. */
const RELEASES_MAX = 3;

/** How often the search for a success reads everything since the event was missed; in between it reads what is new. */
const SEARCH_ALL_MS = 60_000;
/** What is new: everything since the last complete search, and this much before it, for commits and clocks that are behind. */
const SEARCH_AGAIN_MS = 60_000;

/** The last complete search for a success of each merchant that found none: after `at`, made at `madeAt`. */
type Searches = Map<Id<'mer'>, { at: number; madeAt: number }>;

/**
 * Creates the job that recovers the missed events of endpoints with automatic recovery: it tries the oldest one after
 * each wait, and queues all of them as soon as any delivery to the endpoint succeeds.
 */
export function createAutoRecovery(deps: AutoRecoveryDeps): PeriodicJob {
  const { db, clock, log, settings } = deps;
  const searches: Searches = new Map();
  const everyMs =
    db.cluster === null
      ? EVERY_MS
      : Math.max(EVERY_MS, Math.min(CLUSTER_EVERY_MS_MAX, ...settings.autoRecoverMs));
  return createPeriodicJob({
    clock,
    async run(isStopping) {
      let nextMs = everyMs;
      for (let after = ''; !isStopping(); ) {
        const merchants = await autoRecovering(db.read, after, MERCHANTS_MAX);
        for (const seen of merchants) {
          if (isStopping()) break;
          const wasAhead = isAhead(deps, seen);
          // If only this clock is behind, clamping would shorten a wait that another process began.
          if (wasAhead) await clock.correct?.();
          // Ends of deliveries that are being committed hold the row, so it must be committed before they are looked for.
          if (seen.since_at === null) {
            await db.unit((tx) => insertState(tx, { merchant_id: seen.id, ...initial(clock.now()) }));
            nextMs = EVERY_MS;
            continue;
          }
          await db.unit((tx) => advance(tx, deps, searches, seen.id, wasAhead));
        }
        after = merchants.at(-1)?.id ?? '';
        if (merchants.length < MERCHANTS_MAX) break;
      }
      for (const id of await switchedOff(db.read, MERCHANTS_MAX)) {
        if (isStopping()) break;
        await db.unit((tx) => stop(tx, deps, id));
      }
      return nextMs;
    },
    onError: (error) =>
      log.error({ detail: errorText(error) }, 'the automatic recovery of webhooks failed; retrying'),
    retryAfterMs: EVERY_MS,
  });
}

/** Runs the next step of one endpoint, if one is due. */
async function advance(
  tx: Tx,
  deps: AutoRecoveryDeps,
  searches: Searches,
  merchantId: Id<'mer'>,
  wasAhead: boolean,
): Promise<void> {
  const now = deps.clock.now();
  const locked = await lockState(tx, merchantId);
  const merchant = await selectMerchant(tx, merchantId);
  if (locked === undefined || merchant?.webhook_enabled !== 1 || merchant.webhook_url === null) return;
  const state = wasAhead ? await clampTimes(tx, deps, locked) : locked;
  if (state.phase === 'idle') return await findMissed(tx, deps, state);
  if (state.phase === 'releasing') return await release(tx, deps, state);
  const probed = state.probe_id === null ? undefined : await deliveryEnd(tx, state.probe_id);
  // The probe may have been made before the span that the next search would read.
  if (probed?.state === 'delivered') searches.delete(merchantId);
  const isDue = state.phase === 'waiting' && (state.due_at ?? now) <= now;
  if (await hasSucceeded(tx, searches, state, { now, isDue })) {
    const run_id = await begin(tx, deps, state);
    const releasing = { ...state, phase: 'releasing', run_id, due_at: null, probe_id: null } as const;
    await changeState(tx, state, releasing);
    return await release(tx, deps, releasing);
  }
  if (state.phase === 'probing') return await planWait(tx, deps, state, probed);
  if (isDue) await probe(tx, deps, state);
}

/** The state of an endpoint whose automatic recovery was switched on at `now`. */
function initial(now: number): Omit<AutoRecoveryRow, 'merchant_id' | 'run_id'> {
  const idle = { phase: 'idle', missed_at: null, step: 0, due_at: null, probe_id: null } as const;
  return { ...idle, since_at: now, after_at: now - HISTORY_MS, after_id: '' };
}

/** Starts the waits of a merchant again: the job does not notice that automatic recovery was off for a moment, or while no service ran. */
export async function restartAutoRecovery(tx: Tx, merchant_id: Id<'mer'>, now: number): Promise<void> {
  await changeState(tx, { merchant_id }, initial(now));
}

/** Whether a delivery to the endpoint succeeded since its oldest event was missed. */
async function hasSucceeded(
  tx: Tx,
  searches: Searches,
  state: AutoRecoveryRow,
  { now, isDue }: { now: number; isDue: boolean },
): Promise<boolean> {
  const missedAt = Math.max(state.missed_at ?? 0, state.since_at);
  const last = searches.get(state.merchant_id);
  const isRecent = last?.at === missedAt && Math.abs(now - last.madeAt) < SEARCH_ALL_MS;
  const complete = isDue || !isRecent;
  const at = complete ? missedAt : Math.max(missedAt, last.madeAt - SEARCH_AGAIN_MS);
  const found = await deliveredAfter(tx, state.merchant_id, { at, now, complete });
  if (found) searches.delete(state.merchant_id);
  else if (complete) searches.set(state.merchant_id, { at: missedAt, madeAt: now });
  return found;
}

/** Whether times of a state are too far ahead, because the clock was set back. */
function isAhead({ clock, settings }: AutoRecoveryDeps, state: AutoRecoveryTimes): boolean {
  const { since_at, missed_at, due_at, step } = state;
  const dueFrom = (due_at ?? 0) - waitMsOf(settings, step ?? 0);
  return Math.max(since_at ?? 0, missed_at ?? 0, dueFrom) > clock.now() + CLOCK_DIFFERENCE_MS_MAX;
}

/** Clamps times that are too far ahead to now: they would lengthen the wait and hide successes. */
async function clampTimes(tx: Tx, deps: AutoRecoveryDeps, state: AutoRecoveryRow): Promise<AutoRecoveryRow> {
  if (!isAhead(deps, state)) return state;
  const { since_at, missed_at, due_at, step } = state;
  const now = deps.clock.now();
  const changes = {
    since_at: Math.min(since_at, now),
    missed_at: missed_at === null ? null : Math.min(missed_at, now),
    due_at: due_at === null ? null : Math.min(due_at, now + waitMsOf(deps.settings, step)),
  };
  await changeState(tx, state, changes);
  return { ...state, ...changes };
}

function waitMsOf({ autoRecoverMs }: AutoRecoveryDeps['settings'], step: number): number {
  return autoRecoverMs[step] ?? Number.POSITIVE_INFINITY;
}

async function findMissed(tx: Tx, deps: AutoRecoveryDeps, state: AutoRecoveryRow): Promise<void> {
  const { missed, at, place } = await readPage(tx, deps, state);
  // The phase is unchanged, but an update needs a column when the page is empty.
  if (missed.length === 0) return await changeState(tx, state, { ...place, phase: 'idle' });
  const due_at = Math.max(at, state.since_at) + (deps.settings.autoRecoverMs[0] ?? 0);
  await changeState(tx, state, { phase: 'waiting', missed_at: at, step: 0, due_at });
}

/** Delivers the oldest missed event again, once no later event of its transaction is being recovered. */
async function probe(tx: Tx, deps: AutoRecoveryDeps, state: AutoRecoveryRow): Promise<void> {
  const { missed, place } = await readPage(tx, deps, state);
  const [oldest] = missed;
  if (oldest === undefined) {
    return await changeState(tx, state, { ...place, phase: 'idle', missed_at: null, due_at: null });
  }
  if (isBehindLater(oldest)) return;
  const run_id = await begin(tx, deps, state);
  const run = { run: run_id, merchantId: state.merchant_id };
  const { first: probe_id } = await queueMissed(tx, deps, run, [oldest]);
  await completeRecovery(tx, run_id, deps.clock.now());
  await changeState(tx, state, { phase: 'probing', run_id, probe_id, due_at: null });
}

/** Plans the next wait after the probe has failed; an earlier check handles a successful delivery. */
async function planWait(
  tx: Tx,
  deps: AutoRecoveryDeps,
  state: AutoRecoveryRow,
  end: Awaited<ReturnType<typeof deliveryEnd>>,
): Promise<void> {
  if (end?.state === 'due') return;
  const step = state.step + 1;
  const waitMs = deps.settings.autoRecoverMs[step];
  const endedAt = end?.finished_at ?? deps.clock.now();
  const plan =
    waitMs === undefined
      ? ({ phase: 'resting', due_at: null } as const)
      : ({ phase: 'waiting', due_at: endedAt + waitMs } as const);
  await changeState(tx, state, { ...plan, step, probe_id: null });
}

/**
 * Queues one page of the missed events, once no later event of their transactions is being recovered; after the last page, the
 * endpoint is watched again.
 */
async function release(tx: Tx, deps: AutoRecoveryDeps, state: AutoRecoveryRow): Promise<void> {
  const { run_id: run } = state;
  if (run === null) throw new Error(`merchant ${state.merchant_id} releases events without a recovery`);
  const { missed, place, isLast } = await readPage(tx, deps, state);
  if (missed.some(isBehindLater)) return;
  await queueMissed(tx, deps, { run, merchantId: state.merchant_id }, missed);
  if (!isLast) return await changeState(tx, state, place);
  await completeRecovery(tx, run, deps.clock.now());
  await changeState(tx, state, { ...place, phase: 'idle', missed_at: null, step: 0 });
}

/** Stops the recovery deliveries that have not begun, because automatic recovery was switched off. */
async function stop(tx: Tx, deps: AutoRecoveryDeps, merchantId: Id<'mer'>): Promise<void> {
  const state = await lockState(tx, merchantId);
  if (state === undefined) return;
  const page = await queuedOf(tx, state, PAGE_MAX);
  // Before the deliveries, as the outcomes of earlier ones do.
  await lockTransactions(tx, page);
  const queued = await lockQueued(tx, page, {});
  await finishDeliveries(tx, queued, { state: 'skipped', now: deps.clock.now() });
  // A manual recovery may have queued a later event of the same transaction.
  if (await unblockNext(tx, queued)) afterCommit(tx, () => deps.wakeDispatcher());
  if (page.length < PAGE_MAX && queued.length === page.length) return await deleteState(tx, merchantId);
  // The next run finds those that another process was claiming. Recovery that is switched on before that run must find the skipped ones.
  await changeState(tx, state, initial(deps.clock.now()));
}

/** The events to recover among the next missed deliveries, when the first was missed, and the `place` that the page reaches. */
async function readPage(tx: Tx, deps: AutoRecoveryDeps, state: AutoRecoveryRow) {
  const last = await lastMissed(tx, state.merchant_id);
  if (last === null) return { missed: [], at: 0, place: {}, isLast: true };
  const after = { finishedAt: state.after_at, id: state.after_id };
  const run = state.phase === 'releasing' ? state.run_id : null;
  const read = await missedPage(tx, state.merchant_id, { after, last, limit: PAGE_MAX });
  // A release stops before its own first delivery; the next search finds that delivery.
  const own = run === null ? -1 : read.findIndex(({ recovery_id }) => recovery_id === run);
  const page = own === -1 ? read : read.slice(0, own);
  // Recoveries and resends, which have no place in a lane, end skipped while the webhook is off; the event may still be undelivered.
  const ended = page.filter(
    ({ state: end, kind, recovery_id, lane_position }) =>
      (end === 'undelivered' || recovery_id !== null || lane_position === null) && kind !== 'webhook.test',
  );
  const siblings = await lockSiblings(tx, ended);
  const recoveriesMax = deps.settings.autoRecoverMs.length + RELEASES_MAX;
  const undelivered = new Set(siblings.flatMap((row) => (row.state === 'undelivered' ? row.event_id : [])));
  const recoveriesCount = ({ eventId }: Missed) =>
    siblings.filter((row) => row.event_id === eventId && row.recovery_id !== null).length;
  const sequences = await transactionSequences(tx, ended);
  const missed = notSuperseded(stillMissed(ended, siblings, sequences, run)).filter(
    (one) => undelivered.has(one.eventId) && recoveriesCount(one) < recoveriesMax,
  );
  const at = ended.find(({ event_id }) => event_id === missed[0]?.eventId)?.finishedAt ?? 0;
  const newest = page.at(-1);
  const place = newest === undefined ? {} : { after_at: newest.finishedAt, after_id: newest.id };
  return { missed: oldestFirst(missed, siblings), at, place, isLast: page.length < PAGE_MAX };
}

async function begin(tx: Tx, deps: AutoRecoveryDeps, state: AutoRecoveryRow): Promise<Id<'rcv'>> {
  const id = deps.ids('rcv');
  await insertRecovery(tx, {
    id,
    merchant_id: state.merchant_id,
    since_at: state.missed_at ?? state.since_at,
    latest: 0,
    automatic: 1,
    created_at: deps.clock.now(),
    queued_at: null,
  });
  return id;
}
