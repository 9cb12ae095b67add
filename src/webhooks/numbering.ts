import { afterCommit, type Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { errorText } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import {
  isAnyUnnumbered,
  lockNumbering,
  takeNumbers,
  UNNUMBERED_MAX,
  unnumberedEvents,
  writeNumbers,
} from './numbering-store.ts';

/**
 * Gives events without a sequence number the next numbers of their merchants, in commit order and in its own database
 * transaction, so that payments never wait for it. Resolves once that is queued, before the claim that is queued next; on
 * PostgreSQL, where the two do not share a commit, once it is done. `more` resolves to whether events remain. Never rejects.
 */
export async function startNumbering(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  onNumbered: (merchantIds: Iterable<Id<'mer'>>) => void = () => {},
): Promise<{ more: Promise<boolean> }> {
  const failed = (error: unknown) => {
    log.error({ detail: errorText(error) }, 'cannot number events; retrying');
    return false;
  };
  if (!(await isAnyUnnumbered(db.read).catch(failed))) return { more: Promise.resolve(false) };
  const more = db
    .unit((tx) => numberEvents(tx, onNumbered))
    .then((count) => count === UNNUMBERED_MAX, failed);
  if (db.engine !== 'sqlite') await more;
  return { more };
}

/** Numbers the next events and resolves to how many. Throws when another process numbered one of them first. */
async function numberEvents(tx: Tx, onNumbered: (merchantIds: Iterable<Id<'mer'>>) => void): Promise<number> {
  await lockNumbering(tx);
  const events = await unnumberedEvents(tx);
  if (events.length === 0) return 0;
  const byMerchant = Map.groupBy(events, (event) => event.merchant_id);
  // One order for all processes prevents deadlocks.
  const counts = [...byMerchant]
    .map(([merchantId, { length }]) => ({ merchantId, count: length }))
    .sort((a, b) => (a.merchantId < b.merchantId ? -1 : 1));
  const last = await takeNumbers(tx, counts);
  const numbers = [...byMerchant].flatMap(([merchantId, own]) =>
    own.map((event, i) => ({ ...event, sequence: (last.get(merchantId) ?? 0) - own.length + i + 1 })),
  );
  const written = await writeNumbers(tx, numbers);
  if (written !== events.length) throw new Error('another process numbered the same events first');
  afterCommit(tx, () => onNumbered(byMerchant.keys()));
  return events.length;
}
