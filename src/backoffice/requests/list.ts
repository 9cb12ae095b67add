import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { type PageInput, pageOf } from '../rpc.ts';
import { requestsBefore } from './store.ts';

interface RequestQuery extends PageInput {
  /** Only requests that were answered with an error. */
  failed?: boolean | undefined;
}

/** A page of the merchant's API requests, newest first. */
export async function listRequests({ db }: Pick<Deps, 'db'>, merchantId: Id<'mer'>, query: RequestQuery) {
  const { failed = false, limit, cursor = null } = query;
  const found = await requestsBefore(db.read, merchantId, { failed, before: cursor, limit: limit + 1 });
  const { page, nextCursor } = pageOf(found, limit, (row) => row.requestId);
  return { rows: page.map((row) => ({ ...row, idempotent: row.idempotent === 1 })), nextCursor };
}
