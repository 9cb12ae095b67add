import type { Queryable } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Reader } from '../transaction/sight.ts';
import type { Filters, TransactionPage } from './contract.ts';
import { cursorAt, type Span, spanOf } from './cursor.ts';
import { resolveWanted } from './resolve.ts';
import type { Scope } from './search-store.ts';
import { readSearch, type Wanted } from './search-text.ts';
import { type ListRow, type Narrowing, rowsOfIds, rowsOfSpan, stepBack } from './store.ts';
import { listed } from './view.ts';

/** Rows that one page looks at, at most, when it walks the list. */
export const WALKED_ROWS = 2000;
const IDS_AT_ONCE = 100;

export interface Place {
  limit: number;
  cursor: string | null;
}

export interface Look {
  scope: Scope;
  reader: Reader;
  /** The operator's wish for what is held. */
  held?: boolean | undefined;
}

interface Rows {
  rows: ListRow[];
  /** The last id that was looked at; null when there is nothing behind it. */
  reached: string | null;
  /** When the row there was made, if the page ended for having looked long enough. */
  searchedTo: number | null;
}

/**
 * One page of transactions, newest first. The cursor names a row, so that pages neither repeat nor skip one while others arrive.
 * However rare what is looked for, a page looks at a bounded number of rows and says how far back it came. OperatorError on a cursor or day that is none.
 */
export async function listTransactions(
  deps: Pick<Deps, 'db'>,
  look: Look,
  filters: Filters,
  place: Place,
): Promise<TransactionPage> {
  const db = deps.db.read;
  const span = spanOf(filters, place.cursor);
  const { rows, reached, searchedTo } = await find(db, look, filters, span, place.limit);
  return {
    rows: await listed(db, rows, look.reader),
    nextCursor: reached === null ? null : cursorAt(reached),
    searchedTo,
  };
}

/** Rows newer than `after`, newest first, at most `limit`; for a page that is open meanwhile. */
export async function newerTransactions(
  db: Queryable,
  look: Look,
  filters: Filters,
  after: string | null,
  limit: number,
): Promise<ListRow[]> {
  const span = spanOf(filters, null);
  // The id itself is known: the next one that can be made sorts behind it and one more character.
  const from = after === null || after < span.from ? span.from : `${after}!`;
  return (await find(db, look, filters, { ...span, from }, limit)).rows;
}

async function find(db: Queryable, look: Look, filters: Filters, span: Span, limit: number): Promise<Rows> {
  const wanted = wantedOf(filters, look);
  const narrowing: Narrowing = {
    state: filters.state ?? null,
    method: filters.method ?? null,
    wanted,
    unheld: filters.attention === true && look.reader === 'merchant',
  };
  const found = wanted === null ? null : await resolveWanted(db, look.scope, wanted);
  if (found === null) return await walk(db, look.scope, span, narrowing, limit);
  const ids = [...found.ids]
    .filter((id) => id < span.before && id >= span.from)
    .sort((a, b) => (a < b ? 1 : -1));
  return await collect(db, look.scope, ids, { ...narrowing, wanted: found.exact ? null : wanted }, limit);
}

function wantedOf(filters: Filters, look: Look): Wanted | null {
  const all: Wanted[] = [];
  const search = readSearch(filters.search ?? '');
  // What is rarest by nature first: the rest is then asked of its rows.
  if (look.held === true) all.push({ kind: 'held' });
  if (filters.attention === true) all.push({ kind: 'attention' });
  if (search !== null) all.push(search);
  return all.length === 0 ? null : { all };
}

/** The rows of a few known ids, newest first. */
async function collect(
  db: Queryable,
  scope: Scope,
  ids: readonly Id<'tx'>[],
  narrowing: Narrowing,
  limit: number,
): Promise<Rows> {
  const rows: ListRow[] = [];
  for (let at = 0; at < ids.length && rows.length <= limit; at += IDS_AT_ONCE) {
    rows.push(...(await rowsOfIds(db, scope, ids.slice(at, at + IDS_AT_ONCE), narrowing)));
  }
  return pageOf(rows, limit);
}

async function walk(
  db: Queryable,
  scope: Scope,
  span: Span,
  narrowing: Narrowing,
  limit: number,
): Promise<Rows> {
  const plain = narrowing.state === null && narrowing.method === null && narrowing.wanted === null;
  const end = plain ? null : await stepBack(db, scope, span, WALKED_ROWS);
  const bounded = end === null ? span : { ...span, from: end.id };
  const page = pageOf(await rowsOfSpan(db, scope, bounded, narrowing, limit + 1), limit);
  if (page.reached !== null || end === null) return page;
  return { rows: page.rows, reached: end.id, searchedTo: end.createdAt };
}

function pageOf(rows: ListRow[], limit: number): Rows {
  const shown = rows.slice(0, limit);
  const reached = rows.length > limit ? (shown.at(-1)?.id ?? null) : null;
  return { rows: shown, reached, searchedTo: null };
}
