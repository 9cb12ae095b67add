import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { pageOf } from '../rpc.ts';
import { requestsBefore } from './store.ts';

interface RequestQuery {
  /** Only requests that were answered with an error. */
  failed?: boolean | undefined;
  limit: number;
  cursor?: string | null | undefined;
}

/** A page of the merchant's API requests, newest first. */
export async function listRequests({ db }: Pick<Deps, 'db'>, merchantId: Id<'mer'>, query: RequestQuery) {
  const { failed = false, limit, cursor = null } = query;
  const found = await requestsBefore(db.read, merchantId, { failed, before: cursor, limit: limit + 1 });
  const { page, nextCursor } = pageOf(found, limit, (row) => row.id);
  return {
    rows: page.map((row) => ({
      requestId: row.id,
      at: row.at,
      method: row.method,
      path: row.path,
      /** 499: the client closed the connection before the answer. */
      status: row.status,
      code: row.code,
      durationMs: row.duration_ms,
      /** Null for the main key. */
      keyName: row.name,
      idempotent: row.idempotent === 1,
      transactionId: row.transaction_id,
      /** The number of unlisted requests before this one. */
      skipped: row.skipped_count,
    })),
    nextCursor,
  };
}
