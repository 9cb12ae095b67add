import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { createRouter, type PageInput, page, pageOf, viewer } from '../rpc.ts';
import { countRequests, requestsBefore } from './store.ts';

export const requestsRouter = createRouter({
  list: viewer
    .input(z.strictObject({ failed: z.boolean().optional(), ...page }))
    .query(({ ctx, input }) => listRequests(ctx.deps, ctx.merchantId, input)),
  count: viewer
    .input(z.strictObject({ failed: z.boolean().default(false) }))
    .query(({ ctx, input }) => countRequests(ctx.deps.db.read, ctx.merchantId, input.failed)),
});

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
