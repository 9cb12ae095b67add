import type { Tx } from '../db/database.ts';
import { readMeta } from '../db/meta.ts';
import { hasRowLocks } from '../db/row-locks.ts';
import type { Deps } from '../deps.ts';
import type { Kind } from './kinds.ts';
import { movePlace } from './store.ts';

/** How much a unit does at most, and what share of the time all units have, as long as none takes longer than it should. */
interface Pace {
  readonly stepMsMax: number;
  readonly share: number;
}

/**
 * Where one unit writes at a time the others wait behind it. Beside ten million payments, most of them to be pruned, steps of 10 ms
 * and more, of two kinds at once, took the 99th percentile of init from 3.1 to 7.2 ms and that of a list from 6.0 to 13.5. The clock is
 * looked at between batches: one that is read from the disk takes longer than it should, and the rest after it is longer too.
 */
const BEFORE_OTHERS: Pace = { stepMsMax: 1, share: 1 / 50 };
const BESIDE_OTHERS: Pace = { stepMsMax: 10, share: 1 / 20 };
const BATCHES_MAX = 20;
const REST_MS_MIN = 20;
const REST_MS_MAX = 200;
/** Between two passes over all that is old. */
const PASS_EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** The clocks of several processes differ a little: no row goes earlier than promised by any of them. */
const CLOCKS_APART_MS = 3_600_000;

/** Where a pass stands, in the database, so that any number of processes share one and none does the work of another. */
interface Place {
  /** When the next step is due, in UTC milliseconds. */
  dueAt: number;
  /** The id up to which the pass is done. */
  after: string;
  /** Rows that the pass has forgotten so far. */
  rows: number;
}

const FIRST: Place = { dueAt: 0, after: '', rows: 0 };

export interface Step {
  /** How long no other step should follow; null when this one was not due and looked at nothing. */
  restMs: number | null;
  /** Rows that this step forgot. */
  rows: number;
  /** Rows of the whole pass, when this step ended it; else null. */
  passRows: number | null;
  /** When the next step is due. */
  nextAt: number;
}

type StepDeps = Pick<Deps, 'db' | 'clock' | 'settings'>;

/** One bounded step of forgetting what is old of one kind, in one unit; does nothing before it is due. */
export async function pruneStep(deps: StepDeps, kind: Kind): Promise<Step> {
  const now = deps.clock.now();
  const kept = await readMeta(deps.db.read, kind.key);
  const place = kept === null ? FIRST : (JSON.parse(kept) as Place);
  // What lies further ahead than a pass was planned by a clock that has been set back since.
  if (place.dueAt > now && place.dueAt <= now + PASS_EVERY_MS) return idle(place.dueAt);
  return await deps.db.unit(async (tx) => {
    const taken = { ...place, dueAt: now + REST_MS_MAX };
    const mine = await movePlace(tx, kind.key, kept, JSON.stringify(taken));
    if (!mine) return idle(taken.dueAt);
    const before = now - kind.days(deps.settings) * DAY_MS - CLOCKS_APART_MS;
    const pace = hasRowLocks(tx) ? BESIDE_OTHERS : BEFORE_OTHERS;
    const { rows, after, tookMs } = await pruneBatches(tx, kind, before, place.after, pace);
    const restMs = Math.ceil(Math.min(REST_MS_MAX, Math.max(REST_MS_MIN, tookMs / pace.share)));
    const over = after === null;
    const next: Place = over
      ? { ...FIRST, dueAt: now + PASS_EVERY_MS }
      : { dueAt: now + restMs, after, rows: place.rows + rows };
    await movePlace(tx, kind.key, JSON.stringify(taken), JSON.stringify(next));
    return { restMs, rows, passRows: over ? place.rows + rows : null, nextAt: next.dueAt };
  });
}

function idle(nextAt: number): Step {
  return { restMs: null, rows: 0, passRows: null, nextAt };
}

async function pruneBatches(tx: Tx, kind: Kind, before: number, from: string, { stepMsMax }: Pace) {
  const begun = performance.now();
  let rows = 0;
  let after: string | null = from;
  for (let batch = 0; batch < BATCHES_MAX && after !== null; batch++) {
    const done = await kind.prune(tx, before, after);
    rows += done.rows;
    after = done.after;
    if (performance.now() - begun >= stepMsMax) break;
  }
  return { rows, after, tookMs: performance.now() - begun };
}
