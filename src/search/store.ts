import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isPostgres, type Queryable, type Tx } from '../db/database.ts';
import { readMeta, writeMeta } from '../db/meta.ts';
import { lockNumber, tryLockNumber } from '../db/row-locks.ts';
import type { SearchSectionTable } from '../db/tables/search.ts';
import type { Id } from '../kernel/ids.ts';
import type { SearchTerm } from './text.ts';

export type Kind = SearchSectionTable['kind'];
/** The merchant whose rows are searched; null for all merchants. */
export type Owner = Id<'mer'> | null;

/** The progress of the index: rows up to these ids are in it. */
export interface Progress {
  led: string;
  tx: string;
  /** Attempts up to this id are in the text of their transaction. */
  att: string;
  documents: number;
  sections: number;
}

const START: Progress = { led: '', tx: '', att: '', documents: 0, sections: 0 };

/** The lock of the index on PostgreSQL; arbitrary, and must never change. */
const SEARCH_LOCK = 7_206_519_343;
/** Rows per section, the unit of a search. */
const SECTION_ROWS = 20_000;
/** The most trigrams per word in a query; more cost more than they filter. Matches are then compared with the complete word. */
const TRIGRAMS_MAX = 4;
/** Section numbers are written with private-use characters from here on, three digits each. */
const DIGIT_ZERO = 0xe100;
const DIGITS = 6000;

/** Makes the changes of the index run one after the other. */
export async function lockIndex(tx: Tx): Promise<void> {
  await lockNumber(tx, SEARCH_LOCK);
}

/** Locks the index unless another process is changing it. Resolves to whether this process has the lock. */
export async function tryLockIndex(tx: Tx): Promise<boolean> {
  return await tryLockNumber(tx, SEARCH_LOCK);
}

export async function readProgress(db: Queryable): Promise<Progress> {
  const stored = await readMeta(db, 'search');
  return stored === null ? START : (JSON.parse(stored) as Progress);
}

export async function writeProgress(tx: Tx, progress: Progress): Promise<void> {
  await writeMeta(tx, 'search', JSON.stringify(progress));
}

/** Empties the index on SQLite. */
export async function clearIndex(tx: Tx): Promise<void> {
  await sql`insert into search_index (search_index) values ('delete-all')`.execute(tx);
  await tx.deleteFrom('search_documents').execute();
  await tx.deleteFrom('search_sections').execute();
  await writeProgress(tx, START);
}

/** The lowest text above an id, where a range after it begins. */
export function afterId(id: string): string {
  return `${id}!`;
}

export interface NewDocument {
  id: string;
  owner: Id<'mer'>;
  text: string;
}

/** Adds rows of one kind in the order of their ids, and counts them in `progress`. */
export async function insertDocuments(
  tx: Tx,
  kind: Kind,
  documents: readonly NewDocument[],
  progress: Progress,
): Promise<void> {
  if (documents.length === 0) return;
  const open = new Map<string, { number: number; rows: number }>();
  const sectionOf = async (owner: string, id: string) => {
    let section = open.get(owner) ?? (await newestSection(tx, kind, owner));
    if (section === undefined || section.rows >= SECTION_ROWS) {
      if (section !== undefined) await countRows(tx, section);
      section = { number: ++progress.sections, rows: 0 };
      const values = { number: section.number, kind, owner, first_id: id, rows_count: 0 };
      await tx.insertInto('search_sections').values(values).execute();
    }
    section.rows++;
    open.set(owner, section);
    return section.number;
  };
  const rows = [];
  for (const { id, owner, text } of documents) {
    const section = await sectionOf(owner, id);
    const shared = await sectionOf('all', id);
    rows.push({ number: ++progress.documents, id, section, shared_section: shared, text });
  }
  for (const section of open.values()) await countRows(tx, section);
  await tx.insertInto('search_documents').values(rows).execute();
  if (!isPostgres(tx)) {
    const values = rows.map((row) => sql`(${row.number}, ${indexedText(row)})`);
    await sql`insert into search_index (rowid, text) values ${sql.join(values)}`.execute(tx);
  }
}

async function newestSection(tx: Tx, kind: Kind, owner: string) {
  return await tx
    .selectFrom('search_sections')
    .select(['number', 'rows_count as rows'])
    .where('kind', '=', kind)
    .where('owner', '=', owner)
    .orderBy('first_id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

async function countRows(tx: Tx, { number, rows }: { number: number; rows: number }): Promise<void> {
  await tx.updateTable('search_sections').set({ rows_count: rows }).where('number', '=', number).execute();
}

/** Replaces the texts of rows that are in the index. */
export async function updateTexts(tx: Tx, texts: ReadonlyMap<string, string>): Promise<void> {
  if (texts.size === 0) return;
  const rows = await tx
    .selectFrom('search_documents')
    .selectAll()
    .where('id', 'in', [...texts.keys()])
    .execute();
  for (const row of rows) {
    const text = texts.get(row.id);
    if (text === undefined || text === row.text) continue;
    if (!isPostgres(tx)) {
      await sql`insert into search_index (search_index, rowid, text)
        values ('delete', ${row.number}, ${indexedText(row)})`.execute(tx);
      await sql`insert into search_index (rowid, text)
        values (${row.number}, ${indexedText({ ...row, text })})`.execute(tx);
    }
    await tx.updateTable('search_documents').set({ text }).where('number', '=', row.number).execute();
  }
}

/** The sections of a row are trigrams of its text, so that a search reads the rows of one section only. */
function indexedText(row: { section: number; shared_section: number; text: string }): string {
  return `${tokenOf(row.section)}\n${tokenOf(row.shared_section)}\n${row.text}`;
}

function tokenOf(section: number): string {
  const digits = [Math.floor(section / DIGITS ** 2), Math.floor(section / DIGITS) % DIGITS, section % DIGITS];
  return String.fromCodePoint(...digits.map((digit) => DIGIT_ZERO + digit));
}

/** The newest section that begins before the id `before`. */
export async function sectionBefore(db: Queryable, kind: Kind, owner: Owner, before: string) {
  return await db
    .selectFrom('search_sections')
    .select(['number', 'first_id as first'])
    .where('kind', '=', kind)
    .where('owner', '=', owner ?? 'all')
    .where('first_id', '<', before)
    .orderBy('first_id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

interface FoundDocument {
  number: number;
  id: string;
}

/** The rows of a section that match all terms, newest first, from the id `from`, below the given id and number. */
export async function documentsOfSection(
  db: Queryable,
  section: number,
  terms: readonly SearchTerm[],
  range: { from: string; before: string; beforeNumber: number },
  limit: number,
): Promise<FoundDocument[]> {
  const { from, before, beforeNumber } = range;
  const matches = sql.join(terms.map(likeAny), sql` and `);
  if (!isPostgres(db)) {
    // A cross join makes SQLite read the index first.
    const { rows } = await sql<FoundDocument>`
      select found.number, found.id
      from search_index cross join search_documents found on found.number = search_index.rowid
      where search_index match ${matchOf(section, terms)} and search_index.rowid < ${beforeNumber}
        and found.id < ${before} and found.id >= ${from} and ${matches}
      order by search_index.rowid desc limit ${limit}`.execute(db);
    return rows;
  }
  // Materialised, so that the limit does not make the planner choose another index.
  const { rows } = await sql<FoundDocument>`
    with found as materialized (
      select number, id from search_documents as found
      where array[section, shared_section] @> array[${section}::integer] and ${matches}
    )
    select number, id from found where number < ${beforeNumber} and id < ${before} and id >= ${from}
    order by number desc limit ${limit}`.execute(db);
  return rows;
}

/**
 * Whether the index covers the words of the texts. Without the PostgreSQL extension pg_trgm it does not, and a search reads every
 * text of a section.
 */
export async function indexesWords(db: Queryable): Promise<boolean> {
  if (!isPostgres(db)) return true;
  const { rows } = await sql<{ columns: number }>`
    select indnatts as columns from pg_index where indexrelid = to_regclass('search_documents_text')`.execute(
    db,
  );
  return rows[0]?.columns === 2;
}

function likeAny(term: SearchTerm): RawBuilder<SqlBool> {
  const any = term.map((part) => {
    const pattern = `%${part.replace(/[\\%_]/g, '\\$&')}%`;
    return sql<SqlBool>`found.text like ${pattern} escape '\\'`;
  });
  return sql<SqlBool>`(${sql.join(any, sql` or `)})`;
}

/** The full-text query: the section, and the trigrams of each term whose parts all have one. */
function matchOf(section: number, terms: readonly SearchTerm[]): string {
  const narrowing = terms
    .map((term) => term.map(trigramsOf))
    .filter((parts) => parts.every((trigrams) => trigrams.length > 0))
    .map((parts) => `(${parts.map((trigrams) => `(${trigrams.join(' AND ')})`).join(' OR ')})`);
  return [`"${tokenOf(section)}"`, ...narrowing].join(' AND ');
}

/** The trigrams of a text; those with the most digits first, because they occur in the fewest rows. */
function trigramsOf(text: string): string[] {
  const characters = [...text];
  const trigrams = new Set<string>();
  for (let at = 0; at + 3 <= characters.length; at++) trigrams.add(characters.slice(at, at + 3).join(''));
  const digits = (trigram: string) => trigram.replaceAll(/\D/g, '').length;
  const chosen = [...trigrams].sort((a, b) => digits(b) - digits(a)).slice(0, TRIGRAMS_MAX);
  return chosen.map((trigram) => `"${trigram.replaceAll('"', '""')}"`);
}
