import type { Queryable } from '../db/database.ts';
import { changedSince, documentsOf, type IdRange, readDocuments } from './source-store.ts';
import { afterId, documentsOfSection, type Kind, type Owner, readProgress, sectionBefore } from './store.ts';
import { matchesTerms, type SearchTerm } from './text.ts';

const BATCH_ROWS = 500;
const NO_NUMBER = 2 ** 31 - 1;

/** The range of a search: rows of one merchant or of all. */
interface SearchSpan extends IdRange {
  kind: Kind;
  owner: Owner;
}

/**
 * Searches newest first in bounded steps: first the rows that are not indexed yet, then each section of the index. Yields the
 * matching ids of each step and the id down to which all rows have been searched. The event loop serves other requests between
 * steps. A lead may have changed since it was indexed, so the caller must match it again.
 */
export async function* search(db: Queryable, span: SearchSpan, terms: readonly SearchTerm[]) {
  const { kind, owner, from } = span;
  const progress = await readProgress(db);
  const changed = await changedHits(db, span, terms, await changedSince(db, kind, owner, progress));
  /** Adds the changed rows between two ids, and sorts. */
  const hits = (ids: readonly string[], before: string, reached: string) => {
    const within = changed.filter((id) => id < before && id >= reached);
    return { ids: [...new Set([...ids, ...within])].sort().reverse(), reached };
  };
  let { before } = span;
  const unindexed = afterId(progress[kind]);
  for (let isMore = true; isMore; await nextTurn()) {
    const range = { from: unindexed > from ? unindexed : from, before };
    const rows = await readDocuments(db, kind, owner, range, 'desc', BATCH_ROWS);
    const last = rows.at(-1);
    isMore = rows.length === BATCH_ROWS;
    if (last === undefined) break;
    const ids = rows.filter(({ text }) => matchesTerms(text, terms)).map(({ id }) => id);
    yield hits(ids, before, last.id);
    before = last.id;
  }
  while (before > from) {
    const section = await sectionBefore(db, kind, owner, before);
    if (section === undefined) break;
    let beforeNumber = NO_NUMBER;
    for (let isMore = true; isMore; await nextTurn()) {
      const range = { from, before, beforeNumber };
      const rows = await documentsOfSection(db, section.number, terms, range, BATCH_ROWS);
      isMore = rows.length === BATCH_ROWS;
      const last = rows.at(-1);
      const reached = isMore && last !== undefined ? last.id : section.first;
      yield hits(
        rows.map(({ id }) => id),
        before,
        reached,
      );
      before = reached;
      beforeNumber = last?.number ?? NO_NUMBER;
    }
  }
}

async function changedHits(
  db: Queryable,
  { kind, from, before }: SearchSpan,
  terms: readonly SearchTerm[],
  ids: readonly string[],
): Promise<string[]> {
  const within = [...new Set(ids)].filter((id) => id >= from && id < before);
  const documents = await documentsOf(db, kind, within);
  return within.filter((id) => matchesTerms(documents.get(id)?.text ?? '', terms));
}

/** Resolves after waiting requests have been served. */
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
