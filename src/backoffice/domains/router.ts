import { z } from 'zod';
import { listDomains } from '../../merchants/store.ts';
import { createRouter, owner, viewer } from '../rpc.ts';
import { addOwnDomain, removeOwnDomain } from './change.ts';
import { domainExamples } from './examples.ts';
import { admittedBy, explainDomain } from './explain.ts';
import { domainsOf } from './store.ts';

const TYPED_CHARACTERS_MAX = 500;
const typed = z.string().max(TYPED_CHARACTERS_MAX);

/** The store domains of a merchant. */
export const domainsRouter = createRouter({
  list: viewer.query(async ({ ctx }) => {
    const rows = await domainsOf(ctx.deps.db.read, ctx.merchantId);
    return {
      domains: rows.map((row) => ({
        domain: row.domain,
        createdAt: Number(row.created_at),
        examples: domainExamples(row.domain),
      })),
    };
  }),

  explain: viewer
    .input(z.strictObject({ text: typed }))
    .query(async ({ ctx, input }) =>
      explainDomain(input.text, await listDomains(ctx.deps.db.read, ctx.merchantId)),
    ),

  probe: viewer.input(z.strictObject({ address: typed })).query(async ({ ctx, input }) => {
    const by = admittedBy(input.address, await listDomains(ctx.deps.db.read, ctx.merchantId));
    return { readable: by !== undefined, admittedBy: by ?? null };
  }),

  add: owner.input(z.strictObject({ domain: typed })).mutation(async ({ ctx, input }) => {
    await addOwnDomain(ctx.deps, ctx.merchantId, input.domain);
    return {};
  }),

  remove: owner.input(z.strictObject({ domain: typed })).mutation(async ({ ctx, input }) => {
    await removeOwnDomain(ctx.deps, ctx.merchantId, input.domain);
    return {};
  }),
});
