import type { Deps } from '../deps.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { search as searchIndex } from '../search/find.ts';
import { leadText, matchesTerms, readTerms, type SearchTerm } from '../search/text.ts';
import { erasedLeads, erasuresOf, leadsByIds, newestLeads, type SearchedLead } from './search-store.ts';
import type { ErasureState } from './store.ts';

export interface LeadSearch {
  /** Parts of a name, e-mail address or phone number. */
  text?: string | undefined;
  merchantId?: Id<'mer'> | undefined;
  /** `asked`: no order is paid. */
  state?: 'asked' | 'paid' | 'erased' | undefined;
  campaign?: string | undefined;
}

export type FoundLead = SearchedLead & { erasure: ErasureState | null };

/** Rows read per query, and per page: a filter with few matches must not read all leads. */
const CHUNK = 500;
const EXAMINED_MAX = 5000;
/** A page of a search takes about this long at most. */
const SEARCH_MS_MAX = 500;
const AFTER_ALL = 'led_~';

type Read = (before: Id<'led'> | null, limit: number) => Promise<SearchedLead[]>;

/**
 * Returns a page of leads of one merchant or of all, the newest first. Throws OperatorError on an invalid cursor. A page can have
 * fewer rows than requested and still have a next one.
 */
export async function searchLeads(
  deps: Pick<Deps, 'db'>,
  search: LeadSearch,
  page: { limit: number; cursor?: string | null | undefined },
) {
  const before = readCursor(page.cursor);
  const terms = search.state === 'erased' ? [] : readTerms(search.text ?? '', 'led');
  const { rows, last } =
    terms.length > 0
      ? await searchText(deps, search, terms, before, page.limit)
      : await readFiltered(search, readerOf(deps, search), before, page.limit);
  const erasures = await erasuresOf(
    deps.db.read,
    rows.map((row) => row.id),
  );
  return {
    rows: rows.map((row): FoundLead => ({ ...row, erasure: erasures.get(row.id) ?? null })),
    nextCursor: last,
  };
}

/** The rows of a page, and the lead after which the next page begins; null at the end. */
async function readFiltered(search: LeadSearch, read: Read, start: Id<'led'> | null, limit: number) {
  const rows: SearchedLead[] = [];
  let last = start;
  for (let examined = 0; examined < EXAMINED_MAX; examined += CHUNK) {
    const chunk = await read(last, CHUNK);
    for (const row of chunk) {
      if (matches(row, search)) {
        if (rows.length === limit) return { rows, last };
        rows.push(row);
      }
      last = row.id;
    }
    if (chunk.length < CHUNK) return { rows, last: null };
  }
  return { rows, last };
}

async function searchText(
  { db }: Pick<Deps, 'db'>,
  search: LeadSearch,
  terms: readonly SearchTerm[],
  start: Id<'led'> | null,
  limit: number,
) {
  const startedAt = performance.now();
  const owner = search.merchantId ?? null;
  const span = { kind: 'led', owner, from: 'led_', before: start ?? AFTER_ALL } as const;
  const rows: SearchedLead[] = [];
  for await (const { ids, reached } of searchIndex(db.read, span, terms)) {
    for (const row of await leadsByIds(db.read, ids)) {
      if (!matches(row, search) || !matchesTerms(leadText(row), terms)) continue;
      const last = rows.at(-1);
      if (rows.length === limit && last !== undefined) return { rows, last: last.id };
      rows.push(row);
    }
    if (performance.now() - startedAt < SEARCH_MS_MAX) continue;
    return { rows, last: reached as Id<'led'> };
  }
  return { rows, last: null };
}

function readerOf({ db }: Pick<Deps, 'db'>, { state, campaign, merchantId }: LeadSearch): Read {
  const owner = merchantId ?? null;
  if (state === 'erased') return (before, limit) => erasedLeads(db.read, owner, before, limit);
  return (before, limit) => newestLeads(db.read, { merchantId: owner, campaign }, before, limit);
}

function matches(row: SearchedLead, search: LeadSearch): boolean {
  if (search.state === 'paid' && row.paid_count === 0) return false;
  if (search.state === 'asked' && row.paid_count > 0) return false;
  return search.campaign === undefined || row.campaign === search.campaign;
}

function readCursor(text: string | null | undefined): Id<'led'> | null {
  if (text === undefined || text === null) return null;
  if (!/^led_\w+$/.test(text)) throw new OperatorError('the list has changed; load it again from the start');
  return text as Id<'led'>;
}
