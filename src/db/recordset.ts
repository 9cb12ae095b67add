import { type RawBuilder, sql } from 'kysely';
import { isPostgres, type Queryable } from './database.ts';

export type RecordColumns = Readonly<Record<string, 'text' | 'bigint'>>;

/** The JSON escapes of NUL and of half a surrogate pair, which PostgreSQL does not store. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/** Rows in one parameter, as `recordset` reads them, with U+FFFD for characters that cannot be stored. */
export function recordsOf(rows: readonly object[]): string {
  const text = JSON.stringify(rows);
  if (!UNSTORABLE.test(text)) return text;
  return JSON.stringify(rows, (_name, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '\uFFFD').toWellFormed() : value,
  );
}

/** A table of the rows in the parameter `records`, so that a statement of constant text takes any number of rows. */
export function recordset(db: Queryable, records: string, columns: RecordColumns): RawBuilder<unknown> {
  if (isPostgres(db)) {
    const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
    return sql`json_to_recordset(${records}::json) as given(${sql.raw(typed.join(', '))})`;
  }
  const members = Object.keys(columns).map((name) => `value ->> '${name}' as ${name}`);
  return sql`(select ${sql.raw(members.join(', '))} from json_each(${records})) as given`;
}

export function namesOf<C extends RecordColumns>(columns: C): (keyof C)[] {
  return Object.keys(columns);
}

/** Selects the columns of the rows in `records` and then `others`, for an insert. */
export function selectRecords(
  db: Queryable,
  records: string,
  columns: RecordColumns,
  ...others: RawBuilder<unknown>[]
): RawBuilder<never> {
  const selected = sql.join([...Object.keys(columns).map((name) => sql.ref(name)), ...others]);
  // With a condition, because SQLite would parse "on conflict" as a join condition.
  return sql<never>`select ${selected} from ${recordset(db, records, columns)} where true`;
}
