import { z } from 'zod';
import { brandOf, setBrand } from '../../checkout/brand.ts';
import { closeLink, createLink } from '../../checkout/links.ts';
import { AMOUNT_MAX_CENTS, cents } from '../../kernel/money.ts';
import { createRouter, idOf, owner, page, viewer } from '../rpc.ts';
import { listPaymentLinks, requireLink, showPaymentLink, totalOfLinks } from './show.ts';

const TEXT_LENGTH_MAX = 500;
/** Above the limit of the file, so that a larger one gets the error message of the rule. */
const LOGO_LENGTH_MAX = 400_000;
const USES_MAX = 1_000_000;

const amountCents = z.int().min(1).max(AMOUNT_MAX_CENTS).transform(cents).nullable();
const linkId = z.strictObject({ linkId: idOf('lnk') });

export const paymentLinksRouter = createRouter({
  list: viewer.input(z.strictObject(page)).query(({ ctx, input }) => listPaymentLinks(ctx, input)),
  total: viewer.query(({ ctx }) => totalOfLinks(ctx)),
  show: viewer.input(linkId).query(({ ctx, input }) => showPaymentLink(ctx, input.linkId)),
  create: owner
    .input(
      z.strictObject({
        title: z.string().max(TEXT_LENGTH_MAX),
        amountCents,
        minCents: amountCents,
        maxCents: amountCents,
        orderId: z.string().max(TEXT_LENGTH_MAX).nullable(),
        uses: z.int().min(1).max(USES_MAX).nullable(),
        expiresAt: z.int().nullable(),
      }),
    )
    .mutation(({ ctx, input: { amountCents: amount, minCents: min, maxCents: max, ...rest } }) =>
      createLink(ctx.deps, { ...rest, merchantId: ctx.merchantId, amount, min, max }),
    ),
  brand: viewer.query(async ({ ctx: { deps, merchantId } }) => {
    const { accent, logo } = await brandOf(deps.db.read, merchantId);
    return { accent, logoUrl: logo === null ? null : `${deps.serviceUrl()}/pay/${logo}` };
  }),
  setBrand: owner
    .input(
      z.strictObject({
        accent: z.string().max(20).nullable().optional(),
        /** The file in base64. */
        logo: z.base64().max(LOGO_LENGTH_MAX).nullable().optional(),
      }),
    )
    .mutation(({ ctx, input: { accent, logo } }) =>
      setBrand(ctx.deps, ctx.merchantId, {
        accent,
        logo: typeof logo === 'string' ? Buffer.from(logo, 'base64') : logo,
      }),
    ),
  close: owner.input(linkId).mutation(async ({ ctx, input }) => {
    await requireLink(ctx, input.linkId);
    await closeLink(ctx.deps, input.linkId);
  }),
});
