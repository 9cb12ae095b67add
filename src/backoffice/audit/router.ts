import { z } from 'zod';
import { page } from '../people/fields.ts';
import { createRouter, operator, owner } from '../rpc.ts';
import { action, auditFilter, since } from './fields.ts';
import { listAudit } from './list.ts';
import { listOwnAudit } from './list-own.ts';

/** Who changed what, when and from where. */
export const auditRouter = createRouter({
  /** Everything, for the platform's own people. */
  list: operator
    .input(auditFilter.extend(page))
    .query(({ ctx, input: { limit, cursor, direction: _, ...filter } }) =>
      listAudit(ctx.deps, filter, { limit, cursor }),
    ),
  /** The affairs of one merchant, for its owners. */
  ofMerchant: owner
    .input(z.strictObject({ action: action.optional(), since: since.optional(), ...page }))
    .query(({ ctx, input: { limit, cursor, direction: _, ...filter } }) =>
      listOwnAudit(ctx.deps, { ...filter, merchantId: ctx.merchantId }, { limit, cursor }),
    ),
});
