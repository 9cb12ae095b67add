import { COUNTED_MAX } from '../../db/count-rows.ts';
import type { Queryable } from '../../db/database.ts';
import type { PaymentMethod, TransactionStatus } from '../../db/tables/payments.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { search } from '../../search/find.ts';
import { documentsOf, type IdRange } from '../../search/source-store.ts';
import { matchesTerms, readTerms, type SearchTerm } from '../../search/text.ts';
import { type PageInput, pageOf } from '../rpc.ts';
import type { Reader } from '../transaction/redaction.ts';
import { AFTER_ALL, type Days, FIRST_DAY, instantsOf, LAST_DAY, overlap, spanOf } from './cursor.ts';
import { type Condition, lookUp, type Scope } from './search-store.ts';
import {
  createdAtOf,
  type ListRow,
  type Narrowing,
  paidEnds,
  paidOnDays,
  rowBack,
  rowsOfIds,
  rowsOfSpan,
} from './store.ts';
import { viewRows } from './view.ts';

/** A page without a search examines at most this many rows. */
export const EXAMINED_MAX = 2000;
/** A page of a search takes about this long at most. */
const SEARCH_MS_MAX = 500;
const TRANSACTION_ID = /^tx_[0-9a-hjkmnp-tv-z]{4,26}$/i;
const IDS_AT_ONCE = 100;

export interface Filters extends Days {
  search?: string | undefined;
  state?: TransactionStatus | undefined;
  method?: PaymentMethod | undefined;
  /** Only transactions with an open receipt that is late, duplicate, under or over. */
  attention?: boolean | undefined;
}

/** Whose transactions are listed, and for whom. */
export interface Viewpoint {
  scope: Scope;
  reader: Reader;
}

const EVERY: Narrowing = { state: null, method: null, conditions: [], unheld: false };

interface Rows {
  rows: ListRow[];
  /** The last id that was examined; null at the end of the list. */
  reached: string | null;
  /** The creation time of that row, if the page ended at the bound. */
  searchedTo: number | null;
}

/** What a page reads: the narrowed transactions of a scope, at most `limit`. */
interface Reading {
  db: Queryable;
  scope: Scope;
  narrowing: Narrowing;
  limit: number;
}

export type TransactionPage = Awaited<ReturnType<typeof listTransactions>>;

/**
 * A page of transactions, newest first. The cursor names a row, so that pages stay consistent while transactions arrive. A page
 * examines a bounded number of rows; when it ended at that bound, `searchedTo` is the time back to which it searched.
 */
export async function listTransactions(
  deps: Pick<Deps, 'db'>,
  viewpoint: Viewpoint,
  filters: Filters,
  place: PageInput,
) {
  const db = deps.db.read;
  const span = spanOf(filters, place.cursor ?? null);
  const { rows, reached, searchedTo } = await find(db, viewpoint, filters, span, place.limit);
  return {
    rows: await viewRows(db, rows, viewpoint.reader),
    nextCursor: reached,
    searchedTo,
  };
}

/** The current state of known transactions, whatever the filters of their list; those of other scopes are left out. */
export async function currentRows(
  { db }: Pick<Deps, 'db'>,
  { scope, reader }: Viewpoint,
  ids: readonly Id<'tx'>[],
) {
  return await viewRows(db.read, await rowsOfIds(db.read, scope, ids, EVERY), reader);
}

/**
 * The number and sum of the transactions that match the filters; by day of payment, from the daily totals. With `more` there are
 * others, which were not counted.
 */
export async function sumTransactions(deps: Pick<Deps, 'db'>, viewpoint: Viewpoint, filters: Filters) {
  const {
    from = FIRST_DAY,
    to = LAST_DAY,
    by,
    method = null,
    state = 'paid',
    search: text,
    attention,
  } = filters;
  const { scope } = viewpoint;
  if (by === 'paid' && state === 'paid' && !text && attention !== true) {
    return await paidOnDays(deps.db.read, scope, { from, to, method });
  }
  const { rows, reached } = await find(deps.db.read, viewpoint, filters, spanOf(filters, null), COUNTED_MAX);
  return {
    count: rows.length,
    cents: rows.reduce((total, row) => total + row.amount_cents, 0),
    more: reached !== null,
  };
}

async function find(db: Queryable, viewpoint: Viewpoint, filters: Filters, listed: IdRange, limit: number) {
  const { scope } = viewpoint;
  const text = filters.search?.trim() ?? '';
  const ofId = await spanOfId(db, scope, text);
  const span = ofId === null ? listed : overlap(listed, ofId);
  const terms = ofId === null ? readTerms(text, 'tx') : [];
  // Those that usually match fewest rows first.
  const conditions: Condition[] = [];
  if (filters.attention === true) conditions.push({ kind: 'attention' });
  if (filters.by === 'paid') conditions.push({ kind: 'paid', ...instantsOf(filters) });
  const narrowing: Narrowing = {
    state: filters.state ?? null,
    method: filters.method ?? null,
    conditions,
    unheld: filters.attention === true && viewpoint.reader === 'merchant',
  };
  const reading: Reading = { db, scope, narrowing, limit };
  const found = await lookUpAny(db, scope, conditions);
  if (found === null) {
    const bounded = filters.by === 'paid' ? overlap(span, await paidSpan(db, scope, filters)) : span;
    return await (terms.length === 0 ? walk(reading, bounded) : searched(reading, bounded, terms));
  }
  const within = [...found.ids].filter((id) => id < span.before && id >= span.from);
  const ids = terms.length === 0 ? within : await matching(db, within, terms);
  const others = conditions.filter((condition) => condition !== found.condition);
  const rest = { ...narrowing, conditions: others };
  return await collect({ ...reading, narrowing: rest }, ids.sort().reverse());
}

/**
 * The range of ids that contains the transactions paid on the days. When these are too many to be read, it ends with the days and
 * excludes younger transactions, which only assigned money can have paid.
 */
async function paidSpan(db: Queryable, scope: Scope, days: Days): Promise<IdRange> {
  const ends = await paidEnds(db, scope, instantsOf(days));
  return ends === null ? spanOf({ to: days.to }, null) : { from: ends.first, before: ends.last + AFTER_ALL };
}

/** The transactions that match one of the conditions, the first that matches few; null when each matches too many. */
async function lookUpAny(db: Queryable, scope: Scope, conditions: readonly Condition[]) {
  for (const condition of conditions) {
    const ids = await lookUp(db, scope, condition);
    if (ids !== null) return { condition, ids };
  }
  return null;
}

/** The ids that begin with the text, when the scope has such a transaction. */
async function spanOfId(db: Queryable, scope: Scope, text: string): Promise<IdRange | null> {
  if (!TRANSACTION_ID.test(text)) return null;
  const from = text.toLowerCase();
  const span = { from, before: from + AFTER_ALL };
  return (await rowsOfSpan(db, scope, span, EVERY, 1)).length === 0 ? null : span;
}

async function matching(db: Queryable, ids: readonly Id<'tx'>[], terms: readonly SearchTerm[]) {
  const documents = await documentsOf(db, 'tx', ids);
  return ids.filter((id) => matchesTerms(documents.get(id)?.text ?? '', terms));
}

/** A page of a search in a bounded time. */
async function searched(reading: Reading, span: IdRange, terms: readonly SearchTerm[]): Promise<Rows> {
  const { db, scope, limit } = reading;
  const startedAt = performance.now();
  const rows: ListRow[] = [];
  for await (const { ids, reached } of search(db, { kind: 'tx', owner: scope, ...span }, terms)) {
    const hits = await collect({ ...reading, limit: limit + 1 - rows.length }, ids as Id<'tx'>[]);
    rows.push(...hits.rows);
    const { page, nextCursor } = pageOf(rows, limit, (row) => row.id);
    if (nextCursor !== null) return { rows: page, reached: nextCursor, searchedTo: null };
    if (performance.now() - startedAt < SEARCH_MS_MAX) continue;
    return { rows, reached, searchedTo: await createdAtOf(db, reached as Id<'tx'>) };
  }
  return { rows, reached: null, searchedTo: null };
}

/** A page out of known ids. */
async function collect({ db, scope, narrowing, limit }: Reading, ids: readonly Id<'tx'>[]): Promise<Rows> {
  const rows: ListRow[] = [];
  for (let at = 0; at < ids.length && rows.length <= limit; at += IDS_AT_ONCE) {
    rows.push(...(await rowsOfIds(db, scope, ids.slice(at, at + IDS_AT_ONCE), narrowing)));
  }
  const { page, nextCursor } = pageOf(rows, limit, (row) => row.id);
  return { rows: page, reached: nextCursor, searchedTo: null };
}

/** A page out of a bounded number of rows in the order of the list. */
async function walk({ db, scope, narrowing, limit }: Reading, span: IdRange): Promise<Rows> {
  const { state, method, conditions } = narrowing;
  const isFiltered = state !== null || method !== null || conditions.length > 0;
  const end = isFiltered ? await rowBack(db, scope, span, EXAMINED_MAX) : null;
  const bounded = end === null ? span : { ...span, from: end.id };
  const found = await rowsOfSpan(db, scope, bounded, narrowing, limit + 1);
  const { page, nextCursor } = pageOf(found, limit, (row) => row.id);
  if (nextCursor !== null || end === null) return { rows: page, reached: nextCursor, searchedTo: null };
  return { rows: page, reached: end.id, searchedTo: end.createdAt };
}
