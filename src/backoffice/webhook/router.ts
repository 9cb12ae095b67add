import { z } from 'zod';
import { finishRotation } from '../../merchants/finish-rotation.ts';
import { setMerchant } from '../../merchants/set-merchant.ts';
import { listRecoveries } from '../../webhooks/recovery/list.ts';
import { createResolve } from '../../webhooks/transport/resolve.ts';
import { createRouter, freshOwner, owner, viewer } from '../rpc.ts';
import { listDeliveries } from './list-deliveries.ts';
import { recoverMissed } from './recover.ts';
import { resendOwn } from './resend.ts';
import { revealSecret } from './reveal-secret.ts';
import { rotate } from './rotate.ts';
import { sendTest } from './send-test.ts';
import { setWebhookUrl } from './set-url.ts';
import { showWebhook } from './show.ts';
import { showDelivery } from './show-delivery.ts';

/** More than any URL that is accepted, so that a longer one is refused in words. */
const URL_CHARACTERS_MAX = 10_000;

const instant = z.int().min(0).max(8_640_000_000_000_000);
const deliveryId = z.string().max(100);
const state = z.enum(['due', 'delivered', 'undelivered', 'skipped']);
const kind = z.enum(['payment.success', 'payment.failed', 'payment.cancelled', 'webhook.test']);

/** The webhook page of a merchant: settings, secret, test, log, recovery. */
export const webhookRouter = createRouter({
  show: viewer.query(({ ctx }) => showWebhook(ctx.deps, ctx.merchantId)),

  setUrl: freshOwner
    .input(z.strictObject({ url: z.string().max(URL_CHARACTERS_MAX) }))
    .mutation(({ ctx, input }) => {
      const { deps } = ctx;
      const resolve = createResolve({ allowPrivateNetworks: deps.settings.webhookAllowPrivateNetworks });
      return setWebhookUrl({ ...deps, resolve }, ctx.merchantId, input.url);
    }),

  setEnabled: owner.input(z.strictObject({ enabled: z.boolean() })).mutation(async ({ ctx, input }) => {
    const { webhookEnabled } = await setMerchant(ctx.deps, ctx.merchantId, {
      webhookEnabled: input.enabled,
    });
    return { enabled: webhookEnabled };
  }),

  revealSecret: freshOwner.mutation(({ ctx }) => revealSecret(ctx.deps, ctx.merchantId)),

  rotate: freshOwner
    .input(z.strictObject({ now: z.boolean() }))
    .mutation(({ ctx, input }) => rotate(ctx.deps, ctx.merchantId, input)),

  finishRotation: freshOwner.mutation(async ({ ctx }) => {
    await finishRotation(ctx.deps, ctx.merchantId);
    return {};
  }),

  sendTest: owner.mutation(({ ctx }) => sendTest(ctx.deps, ctx.merchantId)),

  delivery: viewer
    .input(z.strictObject({ deliveryId }))
    .query(({ ctx, input }) => showDelivery(ctx.deps, ctx.merchantId, input.deliveryId)),

  deliveries: viewer
    .input(
      z.strictObject({
        state: state.optional(),
        kind: kind.optional(),
        from: instant.optional(),
        until: instant.optional(),
        limit: z.int().min(1).max(100),
        cursor: deliveryId.nullish(),
        // The client's lists send it; there is but one way to read on.
        direction: z.literal('forward').optional(),
      }),
    )
    .query(({ ctx, input }) =>
      listDeliveries(ctx.deps, ctx.merchantId, { ...input, cursor: input.cursor ?? undefined }),
    ),

  resend: owner
    .input(z.strictObject({ deliveryId }))
    .mutation(({ ctx, input }) => resendOwn(ctx.deps, ctx.merchantId, input.deliveryId)),

  recover: owner
    .input(z.strictObject({ since: instant, latest: z.boolean() }))
    .mutation(({ ctx, input }) => recoverMissed(ctx.deps, { ...input, merchantId: ctx.merchantId })),

  recoveries: viewer.query(({ ctx }) => listRecoveries(ctx.deps, ctx.merchantId)),
});
