import type { Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';
import { insertTransaction, type TransactionRow } from './store.ts';
import { countCreated } from './totals.ts';

/** Creates the next transaction of a checkout session, with the order of the one before. The session is locked. */
export async function createNext(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'ids'>,
  before: TransactionRow,
): Promise<Id<'tx'>> {
  const id = deps.ids('tx');
  const next = { ...before, id, created_at: deps.clock.now(), deadline_at: before.pending_until };
  await insertTransaction(tx, next);
  countCreated(tx, next);
  return id;
}
