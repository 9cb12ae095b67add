import type { QueryConfig } from 'pg';
import { hostUrls } from '../../kernel/postgres-url.ts';
import { preparedNames } from '../prepared.ts';

/** Returns the driver's form of a statement. */
export type StatementOf = (text: string, values: readonly unknown[]) => QueryConfig;

/**
 * The form for the database at `url`: prepared statements are named, so that a connection parses and plans them once, unless the
 * address contains `prepared_statements=false`, for a pooler that cannot keep them.
 */
export function statementsFor(url: string): StatementOf {
  const named = URL.parse(hostUrls(url)[0] ?? '')?.searchParams.get('prepared_statements') !== 'false';
  return (text, values) => {
    const name = named ? preparedNames.get(text) : undefined;
    return { text, values: values.map(withoutNul), ...(name !== undefined && { name }) };
  };
}

/** PostgreSQL cannot store NUL in a text; the replacement character takes its place. */
function withoutNul(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}
