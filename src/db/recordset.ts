import { type RawBuilder, sql } from 'kysely';

type ColumnType = 'text' | 'bigint';

/** Rows in one parameter, as `recordset` reads them. PostgreSQL stores neither NUL nor half of a surrogate pair. */
export function recordsOf(rows: readonly object[]): string {
  return JSON.stringify(rows, (_name, value: unknown) =>
    typeof value === 'string' ? value.replaceAll('\0', '\uFFFD').toWellFormed() : value,
  );
}

/** Selects `columns` of the rows in the parameter `records`, so that one statement writes any number of rows. */
export function recordset(
  records: string,
  columns: Readonly<Record<string, ColumnType>>,
): RawBuilder<unknown> {
  const typed = Object.entries(columns).map(([name, type]) => `${name} ${type}`);
  return sql`json_to_recordset(${records}::json) as record(${sql.raw(typed.join(', '))})`;
}
