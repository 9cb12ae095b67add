import type { Deps } from '../../deps.ts';
import { type Filters, type ListedTransaction, NEWER_ROWS_MAX } from './contract.ts';
import { asTransactionId } from './cursor.ts';
import { type Look, newerTransactions } from './list.ts';
import { rowsOfIds } from './store.ts';
import { listed } from './view.ts';

export interface Watched {
  /** The rows asked for, as they are now. */
  rows: ListedTransaction[];
  /** What came since, newest first; at most 50. */
  newer: ListedTransaction[];
}

/** What became of the rows on an open page, and what came above them meanwhile. */
export async function watchTransactions(
  deps: Pick<Deps, 'db'>,
  look: Look,
  filters: Filters,
  page: { ids: readonly string[]; newest: string | null },
): Promise<Watched> {
  const db = deps.db.read;
  const ids = page.ids.map(asTransactionId).filter((id) => id !== null);
  const everything = { state: null, method: null, wanted: null, unheld: false };
  const rows = await rowsOfIds(db, look.scope, ids, everything);
  const after = page.newest === null ? null : asTransactionId(page.newest);
  const newer = await newerTransactions(db, look, filters, after, NEWER_ROWS_MAX);
  return { rows: await listed(db, rows, look.reader), newer: await listed(db, newer, look.reader) };
}
