import { z } from 'zod';
import { setRoute } from '../../banks/routes.ts';
import { setBank } from '../../banks/set-account.ts';
import { ACQUIRERS } from '../../kernel/acquirer.ts';
import { METHODS } from '../../kernel/payment-enums.ts';
import { setMerchant } from '../../merchants/set-merchant.ts';
import { createRouter, freshOperator, idOf, operator, page } from '../rpc.ts';
import { showBank } from './bank.ts';
import { createMerchantWithOwner } from './create.ts';
import { countMerchants, listMerchants, showMerchant } from './list.ts';

const TEXT_MAX = 200;
const DOMAINS_MAX = 100;
const URL_MAX = 4096;

const merchantId = idOf('mer');
const filter = z.strictObject({ text: z.string().max(TEXT_MAX).default('') });
const acquirer = z.enum(ACQUIRERS);
const route = z.strictObject({ acquirer, fallback: acquirer.nullable() });
const bankKey = z.string().trim().max(TEXT_MAX);

export const merchantsRouter = createRouter({
  list: operator.input(filter.extend(page)).query(({ ctx, input }) => listMerchants(ctx.deps, input)),

  count: operator.input(filter).query(({ ctx, input }) => countMerchants(ctx.deps, input)),

  show: operator
    .input(z.strictObject({ merchantId }))
    .query(({ ctx, input }) => showMerchant(ctx.deps, input.merchantId)),

  create: freshOperator
    .input(
      z.strictObject({
        name: z.string().max(TEXT_MAX),
        domains: z.array(z.string().max(TEXT_MAX)).max(DOMAINS_MAX),
        webhookUrl: z.string().max(URL_MAX).optional(),
        ownerEmail: z.string().max(TEXT_MAX).optional(),
      }),
    )
    .mutation(({ ctx, input }) => createMerchantWithOwner(ctx.deps, input)),

  set: freshOperator
    .input(
      z.strictObject({
        merchantId,
        active: z.boolean().optional(),
        hold: z.boolean().optional(),
        refunds: z.boolean().optional(),
        refundEvents: z.boolean().optional(),
      }),
    )
    .mutation(async ({ ctx, input: { merchantId: id, ...settings } }) => {
      await setMerchant(ctx.deps, id, settings);
      return await showMerchant(ctx.deps, id);
    }),

  defaultBank: operator.query(({ ctx }) => showBank(ctx.deps, null)),

  /** Sets an account; its members are checked by its acquirer's rules. */
  setBank: freshOperator
    .input(
      z.strictObject({
        /** Null sets a default account. */
        merchantId: merchantId.nullable(),
        acquirer: acquirer.optional(),
        credentials: z.record(z.string().max(TEXT_MAX), bankKey),
      }),
    )
    .mutation(({ ctx, input }) => setBank(ctx.deps, input)),

  setRoute: freshOperator
    .input(
      route.extend({
        merchantId,
        method: z.enum(METHODS),
        /** The route that the form changes. */
        shown: route.optional(),
      }),
    )
    .mutation(({ ctx, input: { merchantId: id, method, shown, ...changed } }) =>
      setRoute(ctx.deps, id, method, changed, shown),
    ),
});
