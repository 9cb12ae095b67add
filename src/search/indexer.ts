import { isPostgres, type Queryable, type Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { errorText } from '../kernel/errors.ts';
import { idFloor } from '../kernel/ids.ts';
import { createPeriodicJob, type PeriodicJob } from '../kernel/periodic.ts';
import { documentsOf, leadsOf, readAttempts, readDocuments } from './source-store.ts';
import {
  afterId,
  clearIndex,
  indexesWords,
  insertDocuments,
  type Kind,
  lockIndex,
  type Progress,
  readProgress,
  tryLockIndex,
  updateTexts,
  writeProgress,
} from './store.ts';

/** Rows with lower ids may still follow younger rows, from slower transactions and processes whose clocks are behind. */
const SETTLED_MS = 60_000;
/** Rows of one step. Small on SQLite, where other transactions wait until a step ends. */
const STEP_ROWS = { sqlite: 40, postgres: 400 };
/** The share of time spent on steps; the rest is the pause between them. */
const SHARE = 1 / 20;
const REST_MS_MIN = 10;
const REST_MS_MAX = 500;
const IDLE_MS = 5000;
const START_AFTER_MS = 5000;

type IndexerDeps = Pick<Deps, 'db' | 'clock' | 'log'>;

/** The periodic job that adds new rows to the search index. Its progress is in the database, so any process can run it. */
export function createSearchIndexer(deps: IndexerDeps): PeriodicJob {
  return createPeriodicJob({
    clock: deps.clock,
    firstAfterMs: START_AFTER_MS,
    async run() {
      const startedAt = performance.now();
      if (!(await indexStep(deps))) return IDLE_MS;
      const tookMs = performance.now() - startedAt;
      return Math.ceil(Math.min(REST_MS_MAX, Math.max(REST_MS_MIN, tookMs / SHARE)));
    },
    onError: (error) =>
      deps.log.error({ detail: errorText(error) }, 'cannot update the search index; retrying'),
    retryAfterMs: IDLE_MS,
  });
}

/**
 * Called at the start. Empties an index that is ahead of the clock, which was set back: new rows have lower ids and would never be
 * added. On PostgreSQL the clock is the server's.
 */
export async function clearFutureIndex({ db, clock, log }: IndexerDeps): Promise<void> {
  const { tx: transaction, led } = await readProgress(db.read);
  const now = clock.now();
  if (db.cluster !== null || (transaction <= idFloor('tx', now) && led <= idFloor('led', now))) return;
  await db.unit(clearIndex);
  log.warn('the clock was set back since the last start; the search index is built again');
}

/** Logs a warning when searches are slow because pg_trgm is missing. */
export async function warnOfSlowSearch({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  if (await indexesWords(db.read)) return;
  log.warn(
    'the PostgreSQL extension pg_trgm is not in use: searches in the back office find everything but take longer; see "Installation" in the guide "Operating the service"',
  );
}

/**
 * Adds the next rows to the index, at most `limit` in one transaction. Resolves to false when there are none or another process
 * is adding them.
 */
export async function indexStep(deps: Pick<Deps, 'db' | 'clock'>, limit?: number): Promise<boolean> {
  const settledAt = deps.clock.now() - SETTLED_MS;
  if (!(await isAnyNew(deps.db.read, settledAt))) return false;
  return await deps.db.unit(async (tx) => {
    if (!(await tryLockIndex(tx))) return false;
    const progress = { ...(await readProgress(tx)) };
    // A transaction is indexed together with the attempts that it has by then.
    if (progress.att === '') progress.att = idFloor('att', settledAt);
    const rows = isPostgres(tx) ? STEP_ROWS.postgres : STEP_ROWS.sqlite;
    await indexRows(tx, progress, settledAt, limit ?? rows);
    await writeProgress(tx, progress);
    return true;
  });
}

async function isAnyNew(db: Queryable, settledAt: number): Promise<boolean> {
  const progress = await readProgress(db);
  for (const kind of ['led', 'tx'] as const) {
    const range = { from: afterId(progress[kind]), before: idFloor(kind, settledAt) };
    if ((await readDocuments(db, kind, null, range, 'asc', 1)).length > 0) return true;
  }
  const range = { from: afterId(progress.att), before: idFloor('att', settledAt) };
  return progress.att !== '' && (await readAttempts(db, range, 1)).length > 0;
}

/** Indexes leads, then transactions, which identify changed leads, then attempts, which identify changed transactions. */
async function indexRows(tx: Tx, progress: Progress, settledAt: number, limit: number): Promise<void> {
  const leads = await addNext(tx, 'led', progress, settledAt, limit);
  if (leads.length === limit) return;
  const transactions = await addNext(tx, 'tx', progress, settledAt, limit);
  await refresh(tx, 'led', await leadsOf(tx, transactions));
  if (transactions.length === limit) return;
  const range = { from: afterId(progress.att), before: idFloor('att', settledAt) };
  const attempts = await readAttempts(tx, range, limit);
  await refresh(tx, 'tx', [...new Set(attempts.map((attempt) => attempt.transaction_id))]);
  progress.att = attempts.at(-1)?.id ?? progress.att;
}

async function addNext(tx: Tx, kind: Kind, progress: Progress, settledAt: number, limit: number) {
  const range = { from: afterId(progress[kind]), before: idFloor(kind, settledAt) };
  const documents = await readDocuments(tx, kind, null, range, 'asc', limit);
  await insertDocuments(tx, kind, documents, progress);
  progress[kind] = documents.at(-1)?.id ?? progress[kind];
  return documents.map(({ id }) => id);
}

/** Brings indexed rows up to date, in the transaction that changed them. */
export async function refreshSearch(tx: Tx, kind: Kind, ids: readonly string[]): Promise<void> {
  await lockIndex(tx);
  await refresh(tx, kind, ids);
}

async function refresh(tx: Tx, kind: Kind, ids: readonly string[]): Promise<void> {
  const documents = await documentsOf(tx, kind, ids);
  await updateTexts(tx, new Map([...documents].map(([id, { text }]) => [id, text])));
}
