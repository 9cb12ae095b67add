import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Id } from '../kernel/ids.ts';
import type { Queryable } from './database.ts';
import { hasRowLocks } from './row-locks.ts';

/**
 * The condition that a row, which the query selects by id, belongs to this merchant: it selects the partition when merchants are
 * distributed. Always true on SQLite, which has no partitions.
 */
export function ofMerchant(
  db: Queryable,
  merchant: Id<'mer'> | null,
  column = 'merchant_id',
): RawBuilder<SqlBool> {
  if (!hasRowLocks(db)) return sql`true`;
  return merchant === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${merchant}`;
}
