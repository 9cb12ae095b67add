import type { Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';
import {
  blankTransaction,
  findErasure,
  isUnfinished,
  keptTexts,
  peopleOf,
  replaceText,
  transactionsOfLead,
  updateErasure,
  waitFor,
  waitNoLonger,
  waitsOf,
} from './erasure-store.ts';
import { type Person, scrubber, scrubJson } from './scrub.ts';

/** Transactions that one unit blanks: others wait behind it. */
const BLANKED_MAX = 25;
/** How long until payments under way are looked at again. */
const WAIT_MS = 5 * 60_000;
/** Late money, a resend: for so long something can be written once more, and is blanked once a day. The bank is read 35 days back. */
const DAY_MS = 86_400_000;
const WATCH_MS = 40 * DAY_MS;

type StepDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * One bounded step of an erasure: some of the lead's transactions, then those that were not over. Every part of
 * it can be repeated. True when another step is due at once.
 */
export async function stepErasure(
  deps: StepDeps,
  leadId: Id<'led'>,
  person: Person | null = null,
): Promise<boolean> {
  const erasure = await findErasure(deps.db.read, leadId);
  if (erasure === undefined || erasure.due_at === null) return false;
  if (erasure.cursor !== null) {
    await deps.db.unit((tx) => blankNext(tx, deps, leadId, person));
    return true;
  }
  await lookAtWaiting(deps, leadId);
  return false;
}

/** Blanks the next transactions of the lead and moves the cursor past them, in one unit. */
async function blankNext(tx: Tx, deps: StepDeps, leadId: Id<'led'>, person: Person | null): Promise<void> {
  const erasure = await findErasure(tx, leadId);
  // Another process was faster.
  if (erasure === undefined || erasure.cursor === null) return;
  const ids = await transactionsOfLead(tx, leadId, erasure.cursor, BLANKED_MAX);
  for (const id of ids) await blankOne(tx, leadId, id, person);
  const over = ids.length < BLANKED_MAX;
  await updateErasure(tx, leadId, {
    cursor: over ? null : (ids.at(-1) ?? null),
    // The first time through counts, the later ones only look after it.
    ...(erasure.finished_at === null && {
      left_count: over ? 0 : Math.max(0, erasure.left_count - ids.length),
      done_count: erasure.done_count + ids.length,
    }),
    ...(over ? { due_at: deps.clock.now() } : {}),
  });
}

async function blankOne(tx: Tx, leadId: Id<'led'>, id: Id<'tx'>, person: Person | null): Promise<void> {
  const { customer, phones } = await peopleOf(tx, id);
  const told = customer === null ? null : (JSON.parse(customer) as Person);
  const people = [person, told, ...phones.map((phone) => ({ phone }))].filter((one) => one !== null);
  const scrub = scrubber(people);
  if (scrub !== null) {
    for (const kept of await keptTexts(tx, id)) {
      const text = kept.table === 'receipt_notes' ? scrub(kept.text) : scrubJson(scrub, kept.text);
      if (text !== kept.text) await replaceText(tx, { ...kept, text });
    }
  }
  await blankTransaction(tx, id);
  if (await isUnfinished(tx, id)) await waitFor(tx, leadId, id);
  else await waitNoLonger(tx, id);
}

/** Blanks again what payments under way have left since; those that are over are done with. */
async function lookAtWaiting(deps: StepDeps, leadId: Id<'led'>): Promise<void> {
  let after = '';
  for (;;) {
    const ids = await waitsOf(deps.db.read, leadId, after, BLANKED_MAX);
    await deps.db.unit(async (tx) => {
      for (const id of ids) await blankOne(tx, leadId, id, null);
    });
    after = ids.at(-1) ?? '';
    if (ids.length < BLANKED_MAX) break;
  }
  await deps.db.unit((tx) => planNext(tx, deps, leadId));
}

async function planNext(tx: Tx, deps: StepDeps, leadId: Id<'led'>): Promise<void> {
  const erasure = await findErasure(tx, leadId);
  if (erasure === undefined || erasure.cursor !== null) return;
  const now = deps.clock.now();
  const [waiting] = await waitsOf(tx, leadId, '', 1);
  if (waiting !== undefined) {
    await updateErasure(tx, leadId, { due_at: now + WAIT_MS });
    return;
  }
  const watched = now < Number(erasure.started_at) + WATCH_MS;
  await updateErasure(tx, leadId, {
    finished_at: erasure.finished_at ?? now,
    ...(watched ? { cursor: '', due_at: now + DAY_MS } : { due_at: null }),
  });
}
