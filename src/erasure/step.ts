import { eraseQuotedNotes } from '../audit/store.ts';
import { eraseCallbacks } from '../banks/store.ts';
import { deletePushes, eraseReturnUrls } from '../checkout/store.ts';
import type { Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { DAY_MS } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import { type Person, scrubber } from '../kernel/scrub.ts';
import { eraseTransaction, peopleOfTransaction } from '../payments/erasure-store.ts';
import type { TransactionKey } from '../payments/store.ts';
import { refreshSearch } from '../search/indexer.ts';
import { eraseResponses } from '../webhooks/store.ts';
import {
  deleteWait,
  type Erasure,
  type ErasureKey,
  findErasure,
  insertWait,
  transactionsOfLead,
  updateErasure,
  waitsOf,
} from './store.ts';

/** Transactions erased in one database transaction, which blocks other writers on SQLite. */
const BATCH_MAX = 25;
const WAIT_MS = 5 * 60_000;
/**
 * Late money, a resend or an open session can store personal data again, so an erasure is repeated daily until this long after it
 * is finished.
 */
const WATCH_MS = 40 * DAY_MS;

type StepDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * Runs one bounded, repeatable step of an erasure: the next transactions of the lead, then its unfinished ones. Resolves
 * to whether another step is due immediately.
 */
export async function stepErasure(
  deps: StepDeps,
  key: ErasureKey,
  person: Person | null = null,
): Promise<boolean> {
  const erasure = await findErasure(deps.db.read, key.lead_id, key.merchant_id);
  if (erasure === undefined || erasure.due_at === null) return false;
  if (erasure.cursor !== null) {
    await deps.db.unit((tx) => eraseBatch(tx, deps, key, person));
    return true;
  }
  await eraseUnfinished(deps, key);
  return false;
}

/** Erases the next transactions of the lead and moves the cursor past them. */
export async function eraseBatch(
  tx: Tx,
  deps: Pick<StepDeps, 'clock'>,
  key: ErasureKey,
  person: Person | null,
): Promise<void> {
  const erasure = await findErasure(tx, key.lead_id, key.merchant_id);
  // Another process has erased the last batch.
  if (erasure === undefined || erasure.cursor === null) return;
  const ids = await transactionsOfLead(tx, key, erasure.cursor, BATCH_MAX);
  // The first pass has transactions left, also when it was interrupted for days.
  const isLater = dayOf(erasure, deps.clock.now()) > 0 && erasure.left_count === 0;
  const isRepeated = erasure.finished_at !== null || isLater;
  await eraseAll(tx, key, ids, { person, isRepeated });
  // A shopper may have made the next transaction of a session during the batch before.
  const isLast = ids.length === 0;
  await updateErasure(tx, key, {
    cursor: isLast ? null : (ids.at(-1) ?? null),
    // Only the first pass counts; later passes repeat it.
    ...(!isRepeated && {
      left_count: Math.max(0, erasure.left_count - ids.length),
      done_count: erasure.done_count + ids.length,
    }),
    ...(isLast && { left_count: 0, due_at: deps.clock.now() }),
  });
}

interface Pass {
  readonly person: Person | null;
  readonly isRepeated: boolean;
}

/** Erases transactions and then their sessions: where both are locked, transactions come first. */
async function eraseAll(tx: Tx, lead: ErasureKey, ids: readonly Id<'tx'>[], pass: Pass): Promise<void> {
  const erased = [];
  for (const id of ids) erased.push(await eraseOne(tx, lead, { id, merchant_id: lead.merchant_id }, pass));
  for (const { sessionId, scrub } of erased) {
    if (sessionId !== null) await eraseReturnUrls(tx, sessionId, scrub);
  }
  await refreshSearch(tx, 'tx', ids);
}

/** Each slice erases its own tables. */
async function eraseOne(tx: Tx, lead: ErasureKey, transaction: TransactionKey, { person, isRepeated }: Pass) {
  const people = await peopleOfTransaction(tx, transaction);
  const scrub = scrubber(person === null ? people : [person, ...people]);
  const erased = await eraseTransaction(tx, transaction, { scrub, isRepeated });
  await deletePushes(tx, erased.attemptIds);
  await eraseCallbacks(tx, erased.bankOrderIds, scrub);
  await eraseQuotedNotes(tx, erased.quotedTargets, scrub);
  const hasDueDelivery = await eraseResponses(tx, transaction);
  if (erased.unfinished || hasDueDelivery) await insertWait(tx, lead.lead_id, transaction);
  else await deleteWait(tx, transaction);
  return { sessionId: erased.sessionId, scrub };
}

/** Erases unfinished transactions again, then plans the next step. */
async function eraseUnfinished(deps: StepDeps, key: ErasureKey): Promise<void> {
  let after = '';
  for (;;) {
    const ids = await waitsOf(deps.db.read, key, after, BATCH_MAX);
    await deps.db.unit((tx) => eraseAll(tx, key, ids, { person: null, isRepeated: true }));
    after = ids.at(-1) ?? '';
    if (ids.length < BATCH_MAX) break;
  }
  await deps.db.unit((tx) => planNext(tx, deps, key));
}

async function planNext(tx: Tx, deps: StepDeps, key: ErasureKey): Promise<void> {
  const erasure = await findErasure(tx, key.lead_id, key.merchant_id);
  if (erasure === undefined || erasure.cursor !== null) return;
  const now = deps.clock.now();
  const [waiting] = await waitsOf(tx, key, '', 1);
  if (waiting !== undefined) {
    const checkAt = now + WAIT_MS;
    // The daily repetition goes on: a payment or a transfer can be due for months.
    const isDayOver = dayOf(erasure, erasure.due_at ?? now) < dayOf(erasure, checkAt);
    await updateErasure(tx, key, { due_at: checkAt, ...(isDayOver && { cursor: '' }) });
    return;
  }
  const finishedAt = erasure.finished_at ?? now;
  const watched = now < finishedAt + WATCH_MS;
  await updateErasure(tx, key, {
    finished_at: finishedAt,
    ...(watched ? { cursor: '', due_at: now + DAY_MS } : { due_at: null }),
  });
}

/** The number of complete days since the start of the erasure. */
function dayOf({ started_at: start }: Pick<Erasure, 'started_at'>, instant: number): number {
  return Math.floor((instant - start) / DAY_MS);
}
