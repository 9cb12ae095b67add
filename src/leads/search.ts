import type { Deps } from '../deps.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { search as searchIndex } from '../search/find.ts';
import { leadText, matchesTerms, readTerms, type SearchTerm } from '../search/text.ts';
import {
  campaignOfMerchant,
  campaignOfMerchants,
  erasedLeads,
  erasuresOf,
  type LeadRow,
  leadsByIds,
  newestLeads,
  type Place,
} from './search-store.ts';
import type { ErasureState } from './store.ts';

export interface LeadSearch {
  /** Parts of a name, e-mail address or phone number. */
  text?: string | undefined;
  merchantId?: Id<'mer'> | undefined;
  /** `asked`: no order is paid. */
  state?: 'asked' | 'paid' | 'erased' | undefined;
  campaign?: string | undefined;
}

export type FoundLead = LeadRow & { erasure: ErasureState | null };

/** Rows read per query, and per page: a filter with few matches must not read all leads. */
const CHUNK = 500;
const EXAMINED_MAX = 5000;
/** A page of a search takes about this long at most. */
const SEARCH_MS_MAX = 500;
const AFTER_ALL = 'led_~';

type Read = (place: Place | null, limit: number) => Promise<LeadRow[]>;

/**
 * Returns a page of leads of one merchant or of all, the newest first; those of a campaign in the order of the merchants. Throws
 * OperatorError on an invalid cursor. A page can have fewer rows than requested and still have a next one.
 */
export async function searchLeads(
  deps: Pick<Deps, 'db'>,
  search: LeadSearch,
  page: { limit: number; cursor?: string | null | undefined },
) {
  const place = readCursor(page.cursor);
  const terms = search.state === 'erased' ? [] : readTerms(search.text ?? '', 'led');
  const { rows, last } =
    terms.length > 0
      ? await searchText(deps, search, terms, place, page.limit)
      : await readFiltered(search, readerOf(deps, search), place, page.limit);
  const erasures = await erasuresOf(
    deps.db.read,
    rows.map((row) => row.id),
  );
  return {
    rows: rows.map((row): FoundLead => ({ ...row, erasure: erasures.get(row.id) ?? null })),
    nextCursor: last === null ? null : cursorOf(last),
  };
}

/** The rows of a page, and the position after which the next page begins; null at the end. */
async function readFiltered(search: LeadSearch, read: Read, start: Place | null, limit: number) {
  const rows: LeadRow[] = [];
  let place = start;
  for (let examined = 0; examined < EXAMINED_MAX; examined += CHUNK) {
    const chunk = await read(place, CHUNK);
    for (const row of chunk) {
      if (matches(row, search)) {
        if (rows.length === limit) return { rows, last: place };
        rows.push(row);
      }
      place = placeOf(row);
    }
    if (chunk.length < CHUNK) return { rows, last: null };
  }
  return { rows, last: place };
}

async function searchText(
  { db }: Pick<Deps, 'db'>,
  search: LeadSearch,
  terms: readonly SearchTerm[],
  start: Place | null,
  limit: number,
) {
  const startedAt = performance.now();
  const merchantId = search.merchantId ?? null;
  const span = { kind: 'led', owner: merchantId, from: 'led_', before: start?.id ?? AFTER_ALL } as const;
  const rows: LeadRow[] = [];
  for await (const { ids, reached } of searchIndex(db.read, span, terms)) {
    for (const row of await leadsByIds(db.read, ids)) {
      if (!matches(row, search) || !matchesTerms(leadText(row), terms)) continue;
      const last = rows.at(-1);
      if (rows.length === limit && last !== undefined) return { rows, last: placeOf(last) };
      rows.push(row);
    }
    if (performance.now() - startedAt < SEARCH_MS_MAX) continue;
    return { rows, last: { merchantId: merchantId ?? 'mer_', id: reached as Id<'led'> } };
  }
  return { rows, last: null };
}

function readerOf({ db }: Pick<Deps, 'db'>, { state, campaign, merchantId }: LeadSearch): Read {
  const owner = merchantId ?? null;
  if (state === 'erased') return (place, limit) => erasedLeads(db.read, owner, place?.id ?? null, limit);
  if (campaign === undefined) {
    return (place, limit) => newestLeads(db.read, owner, place?.id ?? null, limit);
  }
  return async (place, limit) => {
    if (owner !== null) return campaignOfMerchant(db.read, campaign, owner, place?.id ?? '', limit);
    if (place === null) return campaignOfMerchants(db.read, campaign, '', limit);
    const same = await campaignOfMerchant(db.read, campaign, place.merchantId, place.id, limit);
    if (same.length === limit) return same;
    const others = await campaignOfMerchants(db.read, campaign, place.merchantId, limit - same.length);
    return [...same, ...others];
  };
}

function placeOf(row: LeadRow): Place {
  return { merchantId: row.merchant_id, id: row.id };
}

function matches(row: LeadRow, search: LeadSearch): boolean {
  if (search.state === 'erased') return search.campaign === undefined;
  if (search.state === 'paid' && row.paid_count === 0) return false;
  if (search.state === 'asked' && row.paid_count > 0) return false;
  return search.campaign === undefined || row.campaign === search.campaign;
}

function cursorOf({ merchantId, id }: Place): string {
  return `${merchantId}.${id}`;
}

function readCursor(text: string | null | undefined): Place | null {
  if (text === undefined || text === null) return null;
  const [, merchantId, id] = /^(mer_\w*)\.(led_\w+)$/.exec(text) ?? [];
  if (id === undefined) throw new OperatorError('the list has changed; load it again from the start');
  return { merchantId: merchantId as Id<'mer'>, id: id as Id<'led'> };
}
