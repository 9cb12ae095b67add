import type { Queryable } from '../../db/database.ts';
import type { Id } from '../../kernel/ids.ts';
import { probe, type Scope } from './search-store.ts';
import type { Wanted } from './search-text.ts';

/** What one look-up may find before it counts as common: then the list is walked instead, and each row is asked. */
const COMMON_ROWS = 1000;

/** The transactions that are wanted. Not `exact`: these and no others can be, but each has to be asked. */
export interface Found {
  ids: Set<Id<'tx'>>;
  exact: boolean;
}

/** Looks what is wanted up in the indexes; null when it is too common to be collected. */
export async function resolveWanted(db: Queryable, scope: Scope, wanted: Wanted): Promise<Found | null> {
  if ('any' in wanted) return await resolveAny(db, scope, wanted.any);
  if ('all' in wanted) return await resolveAll(db, scope, wanted.all);
  const ids = await probe(db, scope, wanted, COMMON_ROWS + 1);
  return ids.length > COMMON_ROWS ? null : { ids: new Set(ids), exact: true };
}

async function resolveAny(db: Queryable, scope: Scope, any: readonly Wanted[]): Promise<Found | null> {
  const all: Found = { ids: new Set(), exact: true };
  for (const each of any) {
    const found = await resolveWanted(db, scope, each);
    if (found === null) return null;
    for (const id of found.ids) all.ids.add(id);
    all.exact &&= found.exact;
  }
  return all;
}

/** One that is rare is enough: its rows are then asked for the rest. */
async function resolveAll(db: Queryable, scope: Scope, all: readonly Wanted[]): Promise<Found | null> {
  for (const each of all) {
    const found = await resolveWanted(db, scope, each);
    if (found !== null) return { ids: found.ids, exact: found.exact && all.length === 1 };
  }
  return null;
}
