import { z } from 'zod';
import { addDomain, removeDomain } from '../../merchants/domains.ts';
import { domainsOf } from '../../merchants/store.ts';
import { unicodeNames } from '../domain-names.ts';
import { createRouter, owner, viewer } from '../rpc.ts';
import { domainExamples, explainDomain } from './explain.ts';

/** Above the limit of a domain, so that a longer text gets the error message of the rule. */
const text = z.string().max(500);

export const domainsRouter = createRouter({
  list: viewer.query(async ({ ctx }) => {
    const rows = await domainsOf(ctx.deps.db.read, { merchantId: ctx.merchantId });
    return {
      domains: rows.map(({ domain, created_at }) => {
        const examples = domainExamples(domain);
        const names = unicodeNames([
          domain,
          domain.replace(/^\*\./, ''),
          ...examples.map(({ host }) => host),
        ]);
        return { domain, createdAt: created_at, examples, names };
      }),
    };
  }),
  explain: viewer.input(z.strictObject({ text })).query(({ input }) => explainDomain(input.text)),
  add: owner
    .input(z.strictObject({ domain: text }))
    .mutation(({ ctx, input }) => addDomain(ctx.deps, ctx.merchantId, input.domain)),
  remove: owner
    .input(z.strictObject({ domain: text }))
    .mutation(({ ctx, input }) => removeDomain(ctx.deps, ctx.merchantId, input.domain)),
});
