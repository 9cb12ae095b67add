import type { Queryable } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { pageOf } from '../rpc.ts';
import type { Reader } from '../transaction/redaction.ts';
import { asTransactionId, cursorAt, type Span, spanOf } from './cursor.ts';
import { resolveWanted, type Scope } from './search-store.ts';
import { readSearch, type Wanted } from './search-text.ts';
import { type ListRow, type Narrowing, rowBack, rowsOfIds, rowsOfSpan } from './store.ts';
import { viewRows } from './view.ts';

/** A page examines at most this many rows. */
export const EXAMINED_MAX = 2000;
const NEWER_ROWS_MAX = 50;
const IDS_AT_ONCE = 100;

/** The filters of a list. The days are Lisbon's, both inclusive. */
export interface Filters {
  search?: string | undefined;
  state?: 'pending' | 'paid' | 'failed' | 'cancelled' | undefined;
  method?: 'MBWAY' | 'REFERENCE' | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** Only transactions with an open receipt that is late, duplicate, under or over. */
  attention?: boolean | undefined;
}

/** Whose transactions are listed, and for whom. */
export interface Viewpoint {
  scope: Scope;
  reader: Reader;
  /** Only held transactions (operators). */
  held?: boolean | undefined;
}

interface Rows {
  rows: ListRow[];
  /** The last id that was examined; null at the end of the list. */
  reached: string | null;
  /** The creation time of that row, if the page ended at the bound. */
  searchedTo: number | null;
}

export type TransactionPage = Awaited<ReturnType<typeof listTransactions>>;

/**
 * A page of transactions, newest first. The cursor names a row, so that pages stay consistent while transactions arrive.
 * A page examines a bounded number of rows; `searchedTo` tells how far back it searched when it ended at that bound.
 */
export async function listTransactions(
  deps: Pick<Deps, 'db'>,
  viewpoint: Viewpoint,
  filters: Filters,
  place: { limit: number; cursor?: string | null | undefined },
) {
  const db = deps.db.read;
  const span = spanOf(filters, place.cursor ?? null);
  const { rows, reached, searchedTo } = await find(db, viewpoint, filters, span, place.limit);
  return {
    rows: await viewRows(db, rows, viewpoint.reader),
    nextCursor: reached === null ? null : cursorAt(reached),
    searchedTo,
  };
}

/** The current state of the rows on an open page, and at most 50 newer ones. */
export async function watchTransactions(
  deps: Pick<Deps, 'db'>,
  viewpoint: Viewpoint,
  filters: Filters,
  shown: { ids: readonly string[]; newest: string | null },
) {
  const db = deps.db.read;
  const ids = shown.ids.map(asTransactionId).filter((id) => id !== null);
  const everything = { state: null, method: null, wanted: null, unheld: false };
  const rows = await rowsOfIds(db, viewpoint.scope, ids, everything);
  const newest = shown.newest === null ? null : asTransactionId(shown.newest);
  const span = spanOf(filters, null);
  // The lowest text above the known id.
  const from = newest === null || newest < span.from ? span.from : `${newest}!`;
  const newer = await find(db, viewpoint, filters, { ...span, from }, NEWER_ROWS_MAX);
  return {
    rows: await viewRows(db, rows, viewpoint.reader),
    newer: await viewRows(db, newer.rows, viewpoint.reader),
  };
}

async function find(
  db: Queryable,
  viewpoint: Viewpoint,
  filters: Filters,
  span: Span,
  limit: number,
): Promise<Rows> {
  const wanted = wantedOf(filters, viewpoint);
  const narrowing: Narrowing = {
    state: filters.state ?? null,
    method: filters.method ?? null,
    wanted,
    unheld: filters.attention === true && viewpoint.reader === 'merchant',
  };
  const found = wanted === null ? null : await resolveWanted(db, viewpoint.scope, wanted);
  if (found === null) return await walk(db, viewpoint.scope, span, narrowing, limit);
  const ids = [...found.ids]
    .filter((id) => id < span.before && id >= span.from)
    .sort()
    .reverse();
  const rest = { ...narrowing, wanted: found.exact ? null : wanted };
  return await collect(db, viewpoint.scope, ids, rest, limit);
}

/** The conditions of the filters, those that usually match fewest rows first. */
function wantedOf(filters: Filters, viewpoint: Viewpoint): Wanted | null {
  const search = readSearch(filters.search ?? '');
  const all: Wanted[] = [];
  if (viewpoint.held === true) all.push({ kind: 'held' });
  if (filters.attention === true) all.push({ kind: 'attention' });
  if (search !== null) all.push(search);
  return all.length === 0 ? null : { all };
}

/** A page out of known ids. */
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
  const { page, nextCursor } = pageOf(rows, limit, (row) => row.id);
  return { rows: page, reached: nextCursor, searchedTo: null };
}

/** A page out of a bounded number of rows in the order of the list. */
async function walk(
  db: Queryable,
  scope: Scope,
  span: Span,
  narrowing: Narrowing,
  limit: number,
): Promise<Rows> {
  const isFiltered = narrowing.state !== null || narrowing.method !== null || narrowing.wanted !== null;
  const end = isFiltered ? await rowBack(db, scope, span, EXAMINED_MAX) : null;
  const bounded = end === null ? span : { ...span, from: end.id };
  const found = await rowsOfSpan(db, scope, bounded, narrowing, limit + 1);
  const { page, nextCursor } = pageOf(found, limit, (row) => row.id);
  if (nextCursor !== null || end === null) return { rows: page, reached: nextCursor, searchedTo: null };
  return { rows: page, reached: end.id, searchedTo: end.createdAt };
}
