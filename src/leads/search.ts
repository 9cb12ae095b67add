import type { Deps } from '../deps.ts';
import { OperatorError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { emailKey, nameKey, phoneKey } from '../kernel/person-keys.ts';
import {
  erasedLeads,
  erasuresOf,
  keyedOfMerchant,
  keyedOfMerchants,
  type LeadRow,
  newestLeads,
  type Place,
  type SearchKey,
} from './search-store.ts';
import type { ErasureState } from './store.ts';

export type LeadState = 'asked' | 'paid' | 'erased';

export interface LeadSearch {
  /** The beginning of an e-mail address or of a name, or a whole phone number. */
  text?: string | undefined;
  merchantId?: Id<'mer'> | undefined;
  /** `asked`: nothing paid yet. */
  state?: LeadState | undefined;
  campaign?: string | undefined;
}

export interface FoundLead extends LeadRow {
  erasure: ErasureState | null;
}

export interface LeadPage {
  rows: FoundLead[];
  /** Where to go on; also when the look stopped at its bound with fewer rows than asked for. */
  nextCursor: string | null;
}

/** What is read at a time, and for one page at most: a filter that fits little must not read the whole register at once. */
const CHUNK = 500;
const EXAMINED_MAX = 5000;
/** The highest text that begins with some text ends in this. */
const HIGHEST = '\u{10ffff}';

/** One way through the register, in the order of an index. */
interface Way {
  next(place: Place | null, limit: number): Promise<LeadRow[]>;
  keyOf(row: LeadRow): string;
}

/**
 * Leads of one merchant or of all, a page at a time: the newest first, or in the order of what was searched. A word
 * looks at the e-mail addresses first, then at the names. Throws OperatorError on a cursor that is none.
 */
export async function searchLeads(
  deps: Pick<Deps, 'db'>,
  search: LeadSearch,
  page: { limit: number; cursor?: string | undefined },
): Promise<LeadPage> {
  const ways = waysOf(deps, search);
  let { way, place } = readCursor(page.cursor, ways.length);
  const rows: LeadRow[] = [];
  let last: { way: number; place: Place } | null = null;
  let examined = 0;
  for (; way < ways.length; way++, place = null) {
    const current = ways[way];
    for (;;) {
      const chunk = (await current?.next(place, CHUNK)) ?? [];
      for (const row of chunk) {
        if (fits(row, search, way)) {
          if (rows.length === page.limit && last !== null) return found(deps, rows, cursorOf(last));
          rows.push(row);
        }
        place = { merchantId: row.merchant_id, key: current?.keyOf(row) ?? '', id: row.id };
        last = { way, place };
      }
      examined += chunk.length;
      if (chunk.length < CHUNK) break;
      if (examined >= EXAMINED_MAX && last !== null) return found(deps, rows, cursorOf(last));
    }
  }
  return found(deps, rows, null);
}

async function found(
  deps: Pick<Deps, 'db'>,
  rows: readonly LeadRow[],
  nextCursor: string | null,
): Promise<LeadPage> {
  const erasures = await erasuresOf(
    deps.db.read,
    rows.map((row) => row.id),
  );
  return { rows: rows.map((row) => ({ ...row, erasure: erasures.get(row.id) ?? null })), nextCursor };
}

function waysOf(deps: Pick<Deps, 'db'>, search: LeadSearch): Way[] {
  const merchantId = search.merchantId ?? null;
  if (search.state === 'erased') {
    return [
      {
        next: (place, limit) => erasedLeads(deps.db.read, merchantId, place?.id ?? null, limit),
        keyOf: () => '',
      },
    ];
  }
  const ranges = rangesOf(search);
  if (ranges.length > 0) return ranges.map((range) => keyedWay(deps, merchantId, range));
  return [
    {
      next: (place, limit) => newestLeads(deps.db.read, merchantId, place?.id ?? null, limit),
      keyOf: () => '',
    },
  ];
}

interface Range {
  column: SearchKey;
  from: string;
  to: string;
}

function keyedWay(deps: Pick<Deps, 'db'>, merchantId: Id<'mer'> | null, range: Range): Way {
  const { column } = range;
  const db = deps.db.read;
  return {
    keyOf: (row) => keyOf(row, column),
    async next(place, limit) {
      if (merchantId !== null) return keyedOfMerchant(db, column, range, merchantId, place, limit);
      if (place === null) return keyedOfMerchants(db, column, range, '', limit);
      const same = await keyedOfMerchant(db, column, range, place.merchantId, place, limit);
      if (same.length === limit) return same;
      const others = await keyedOfMerchants(db, column, range, place.merchantId, limit - same.length);
      return [...same, ...others];
    },
  };
}

/** What the search is looked up by; nothing when everything is wanted. The rest filters what is found. */
function rangesOf(search: LeadSearch): Range[] {
  const text = search.text?.trim() ?? '';
  if (text === '') {
    const { campaign } = search;
    return campaign === undefined ? [] : [{ column: 'campaign', from: campaign, to: campaign }];
  }
  // A lead without e-mail has its phone for an identity, and the key as well.
  if (/^[+\d][\d\s().+-]{5,}$/.test(text)) {
    return [{ column: 'phone_key', from: phoneKey(text), to: phoneKey(text) }];
  }
  const email = `email:${emailKey(text)}`;
  const byEmail: Range = { column: 'identity', from: email, to: email + HIGHEST };
  const name = nameKey(text);
  if (text.includes('@') || name === '') return [byEmail];
  return [byEmail, { column: 'name_key', from: name, to: name + HIGHEST }];
}

function keyOf(row: LeadRow, column: SearchKey): string {
  switch (column) {
    case 'identity':
      return row.identity;
    case 'campaign':
      return row.campaign ?? '';
    case 'phone_key':
      return phoneKey(row.phone ?? '');
    case 'name_key':
      return nameKey(row.name ?? '');
  }
}

function fits(row: LeadRow, search: LeadSearch, way: number): boolean {
  if (search.state === 'erased') return search.campaign === undefined;
  if (search.state === 'paid' && row.paid_count === 0) return false;
  if (search.state === 'asked' && row.paid_count > 0) return false;
  if (search.campaign !== undefined && row.campaign !== search.campaign) return false;
  // The second way finds by name what the first may have found by e-mail.
  return way === 0 || !row.identity.startsWith(`email:${emailKey(search.text ?? '')}`);
}

function cursorOf({ way, place }: { way: number; place: Place }): string {
  return Buffer.from(JSON.stringify([way, place.merchantId, place.key, place.id])).toString('base64url');
}

function readCursor(text: string | undefined, waysCount: number): { way: number; place: Place | null } {
  if (text === undefined) return { way: 0, place: null };
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    const [way, merchantId, key, id] = value as [number, Id<'mer'>, string, Id<'led'>];
    const texts = [merchantId, key, id].every((member) => typeof member === 'string');
    if (texts && Number.isInteger(way) && way >= 0 && way < waysCount) {
      return { way, place: { merchantId, key, id } };
    }
  } catch {
    // Told below.
  }
  throw new OperatorError('the list has changed since; load it again from its beginning');
}
