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
  /** The start of an e-mail address or of a name, or a complete phone number. */
  text?: string | undefined;
  merchantId?: Id<'mer'> | undefined;
  /** `asked`: no order is paid. */
  state?: LeadState | undefined;
  campaign?: string | undefined;
}

export interface FoundLead extends LeadRow {
  erasure: ErasureState | null;
}

export interface LeadPage {
  rows: FoundLead[];
  /** The start of the next page. A page can have fewer rows than requested and still have a next one. */
  nextCursor: string | null;
}

/** Rows read per query, and per page: a filter with few matches must not read the complete register. */
const CHUNK = 500;
const EXAMINED_MAX = 5000;
/** Ends the range of texts with a common prefix. */
const HIGHEST = '\u{10ffff}';

/** A scan of the register in the order of an index. */
interface Scan {
  next(place: Place | null, limit: number): Promise<LeadRow[]>;
  keyOf(row: LeadRow): string;
}

/**
 * Returns a page of leads of one merchant or of all: the newest first, or in the order of the search. A word matches
 * e-mail addresses first, then names. Throws OperatorError on an invalid cursor.
 */
export async function searchLeads(
  deps: Pick<Deps, 'db'>,
  search: LeadSearch,
  page: { limit: number; cursor?: string | undefined },
): Promise<LeadPage> {
  const scans = scansOf(deps, search);
  let { scan, place } = readCursor(page.cursor, scans.length);
  const rows: LeadRow[] = [];
  let last: { scan: number; place: Place } | null = null;
  let examined = 0;
  for (; scan < scans.length; scan++, place = null) {
    const current = scans[scan];
    for (;;) {
      const chunk = (await current?.next(place, CHUNK)) ?? [];
      for (const row of chunk) {
        if (matches(row, search, scan)) {
          if (rows.length === page.limit && last !== null) return found(deps, rows, cursorOf(last));
          rows.push(row);
        }
        place = { merchantId: row.merchant_id, key: current?.keyOf(row) ?? '', id: row.id };
        last = { scan, place };
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

function scansOf(deps: Pick<Deps, 'db'>, search: LeadSearch): Scan[] {
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
  if (ranges.length > 0) return ranges.map((range) => keyedScan(deps, merchantId, range));
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

function keyedScan(deps: Pick<Deps, 'db'>, merchantId: Id<'mer'> | null, range: Range): Scan {
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

/** The index ranges of a search; none when it has no text and no campaign. */
function rangesOf(search: LeadSearch): Range[] {
  const text = search.text?.trim() ?? '';
  if (text === '') {
    const { campaign } = search;
    return campaign === undefined ? [] : [{ column: 'campaign', from: campaign, to: campaign }];
  }
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

function matches(row: LeadRow, search: LeadSearch, scan: number): boolean {
  if (search.state === 'erased') return search.campaign === undefined;
  if (search.state === 'paid' && row.paid_count === 0) return false;
  if (search.state === 'asked' && row.paid_count > 0) return false;
  if (search.campaign !== undefined && row.campaign !== search.campaign) return false;
  // The second scan must not repeat leads that the first found by their e-mail address.
  return scan === 0 || !row.identity.startsWith(`email:${emailKey(search.text ?? '')}`);
}

function cursorOf({ scan, place }: { scan: number; place: Place }): string {
  return Buffer.from(JSON.stringify([scan, place.merchantId, place.key, place.id])).toString('base64url');
}

function readCursor(text: string | undefined, scansCount: number): { scan: number; place: Place | null } {
  if (text === undefined) return { scan: 0, place: null };
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    const [scan, merchantId, key, id] = value as [number, Id<'mer'>, string, Id<'led'>];
    const texts = [merchantId, key, id].every((member) => typeof member === 'string');
    if (texts && Number.isInteger(scan) && scan >= 0 && scan < scansCount) {
      return { scan, place: { merchantId, key, id } };
    }
  } catch {
    // Reported below.
  }
  throw new OperatorError('the list has changed; load it again from the start');
}
