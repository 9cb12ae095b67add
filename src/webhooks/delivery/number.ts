import { afterCommit, type Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { errorText } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import {
  isAnyUnnumbered,
  lockNumbering,
  takeNumbers,
  UNNUMBERED_MAX,
  type Unnumbered,
  unnumberedEvents,
  writeNumbers,
} from './number-store.ts';

/** A numbering that is under way. */
export interface Numbering {
  /** Resolves to whether events may remain that have no number yet. Never rejects. */
  more: Promise<boolean>;
}

/**
 * Gives every event that has none the next number of its merchant, in the order of the commits, in a unit of its own:
 * payments never wait for it. Resolves when that unit is queued, ahead of the claim that is queued next. On SQLite the two
 * then share one commit, the number first; elsewhere the numbering is awaited here. A claim passes over what has no number, so
 * that a failure delays events and never sends one without. `numbered` hears, after the commit, whose events got theirs.
 * Never rejects.
 */
export async function startNumbering(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  numbered: (merchantIds: Iterable<Id<'mer'>>) => void = () => {},
): Promise<Numbering> {
  const waiting = await isAnyUnnumbered(db.read).catch(failedBy(log));
  if (!waiting) return { more: Promise.resolve(false) };
  const more = db
    .unit((tx) => numberEvents(tx, numbered))
    .then((count) => count === UNNUMBERED_MAX, failedBy(log));
  if (db.engine !== 'sqlite') await more;
  return { more };
}

function failedBy(log: Deps['log']) {
  return (error: unknown) => {
    log.error({ detail: errorText(error) }, 'events could not be numbered; trying again');
    return false;
  };
}

/** Numbers the next events. Resolves to how many; throws, and leaves all as it was, when another took one of them first. */
async function numberEvents(tx: Tx, numbered: (merchantIds: Iterable<Id<'mer'>>) => void): Promise<number> {
  await lockNumbering(tx);
  const events = await unnumberedEvents(tx);
  if (events.length === 0) return 0;
  const byMerchant = Map.groupBy(events, (event) => event.merchant_id);
  // In one order for all, so that two processes that number cannot wait for each other crosswise.
  const counts = [...byMerchant]
    .map(([merchantId, { length }]) => ({ merchantId, count: length }))
    .sort((a, b) => (a.merchantId < b.merchantId ? -1 : 1));
  const last = await takeNumbers(tx, counts);
  const numbers = [...byMerchant].flatMap(([merchantId, own]) => numbersUpTo(own, last.get(merchantId)));
  const written = await writeNumbers(tx, numbers);
  if (written !== events.length) throw new Error('another process numbered the same events first');
  afterCommit(tx, () => numbered(byMerchant.keys()));
  return events.length;
}

function numbersUpTo(events: readonly Unnumbered[], last = 0): { id: Id<'evt'>; sequence: number }[] {
  return events.map(({ id }, place) => ({ id, sequence: last - events.length + place + 1 }));
}
