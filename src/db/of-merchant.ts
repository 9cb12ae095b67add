import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Id } from '../kernel/ids.ts';
import { isPostgres, type Queryable } from './database.ts';

/**
 * The condition that a row, which the query selects by id, belongs to this merchant: it selects the partition when merchants are
 * distributed. Always true on SQLite, which has no partitions.
 */
export function ofMerchant(
  db: Queryable,
  merchant: Id<'mer'> | null,
  column = 'merchant_id',
): RawBuilder<SqlBool> {
  if (!isPostgres(db)) return sql`true`;
  return merchant === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${merchant}`;
}
