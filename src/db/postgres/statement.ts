import type { QueryConfig } from 'pg';
import { preparedNames } from '../prepared.ts';

/** The driver's form of a statement: named if it is prepared, so that a connection parses and plans it once. */
export function statementOf(text: string, values: readonly unknown[]): QueryConfig {
  const name = preparedNames.get(text);
  return { text, values: values.map(withoutNul), ...(name !== undefined && { name }) };
}

/** PostgreSQL cannot store NUL in a text; the replacement character takes its place. */
function withoutNul(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}
