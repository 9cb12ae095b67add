import { sql } from 'kysely';
import { countList } from '../../db/count-rows.ts';
import type { Queryable } from '../../db/database.ts';
import type { Id } from '../../kernel/ids.ts';

/** The number of a merchant's requests, of all or of those that were answered with an error. */
export function countRequests(db: Queryable, merchantId: Id<'mer'>, failed: boolean) {
  let query = db.selectFrom('api_requests').select('id').where('merchant_id', '=', merchantId);
  if (failed) query = query.where('status', '>=', sql.lit(400));
  return countList(db, query);
}

/** A merchant's requests with an id below `before`, newest first. */
export async function requestsBefore(
  db: Queryable,
  merchantId: Id<'mer'>,
  { failed, before, limit }: { failed: boolean; before: string | null; limit: number },
) {
  let query = db
    .selectFrom('api_requests')
    .leftJoin('api_keys', 'api_keys.id', 'api_requests.key_id')
    .select(['api_requests.id as requestId', 'at', 'method', 'path', 'code', 'idempotent'])
    // 499: the client closed the connection before the answer.
    .select(['status', 'duration_ms as durationMs', 'transaction_id as transactionId'])
    // The main key has no name. The skipped requests came before this one and are not listed.
    .select(['api_keys.name as keyName', 'skipped_count as skipped'])
    .where('api_requests.merchant_id', '=', merchantId);
  // A literal, because SQLite uses a partial index only when the statement contains its condition.
  if (failed) query = query.where('status', '>=', sql.lit(400));
  if (before !== null) query = query.where('api_requests.id', '<', before as Id<'req'>);
  return await query.orderBy('api_requests.id', 'desc').limit(limit).execute();
}
