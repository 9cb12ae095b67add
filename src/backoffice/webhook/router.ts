import { z } from 'zod';
import { EVENT_KINDS } from '../../kernel/payment-enums.ts';
import { finishRotation, rotateWebhookSecret } from '../../merchants/rotate-secret.ts';
import { setMerchant } from '../../merchants/set-merchant.ts';
import { type ExportedEvent, exportEvents } from '../../webhooks/export-events.ts';
import { restartAutoRecovery } from '../../webhooks/recovery/auto-recovery.ts';
import { listRecoveries } from '../../webhooks/recovery/list.ts';
import { sendTestEvent } from '../../webhooks/test-event.ts';
import { exportRoute } from '../export-route.ts';
import { createRouter, freshOwner, idOf, owner, page, viewer } from '../rpc.ts';
import { countDeliveries, listDeliveries, recoverMissed, resendOwn, showDelivery } from './deliveries.ts';
import { setWebhookUrl } from './set-url.ts';
import { countSend, revealSecret, showWebhook } from './settings.ts';

/** Above the limit of a URL, so that a longer one gets the error message of the rule. */
const URL_CHARACTERS_MAX = 10_000;

const instant = z.int().min(0).max(8_640_000_000_000_000);
const ofDelivery = z.strictObject({ deliveryId: idOf('dlv') });

const sender = owner.use(async ({ ctx, next }) => {
  await countSend(ctx);
  return await next();
});

const logFilter = z.strictObject({
  state: z.enum(['due', 'delivered', 'undelivered', 'skipped', 'missed']).optional(),
  kind: z.enum(EVENT_KINDS).optional(),
  from: instant.optional(),
  until: instant.optional(),
});

export const webhookRouter = createRouter({
  show: viewer.query(({ ctx }) => showWebhook(ctx.deps, ctx.merchantId)),
  setUrl: freshOwner
    .input(z.strictObject({ url: z.string().max(URL_CHARACTERS_MAX) }))
    .mutation(({ ctx: { deps, resolve, merchantId }, input }) =>
      setWebhookUrl({ ...deps, resolve }, merchantId, input.url),
    ),
  setEnabled: owner
    .input(z.strictObject({ enabled: z.boolean() }))
    .mutation(async ({ ctx, input: { enabled: webhookEnabled } }) => {
      const merchant = await setMerchant(ctx.deps, ctx.merchantId, { webhookEnabled });
      return { enabled: merchant.webhookEnabled };
    }),
  setAutoRecover: owner
    .input(z.strictObject({ autoRecover: z.boolean() }))
    .mutation(async ({ ctx, input }) => {
      await setMerchant(ctx.deps, ctx.merchantId, input, restartAutoRecovery);
    }),
  revealSecret: freshOwner.mutation(({ ctx }) => revealSecret(ctx.deps, ctx.merchantId)),
  rotate: freshOwner.input(z.strictObject({ now: z.boolean() })).mutation(async ({ ctx, input }) => {
    const { webhookSecret } = await rotateWebhookSecret(ctx.deps, ctx.merchantId, input);
    return { secret: webhookSecret };
  }),
  finishRotation: freshOwner.mutation(async ({ ctx }) => {
    await finishRotation(ctx.deps, ctx.merchantId);
  }),
  sendTest: sender.mutation(({ ctx }) => sendTestEvent(ctx.deps, ctx.merchantId)),
  delivery: viewer
    .input(ofDelivery)
    .query(({ ctx, input }) => showDelivery(ctx.deps, ctx.merchantId, input.deliveryId, ctx.user.operator)),
  deliveries: viewer
    .input(logFilter.extend(page))
    .query(({ ctx, input }) => listDeliveries(ctx.deps, ctx.merchantId, input)),
  countDeliveries: viewer
    .input(logFilter)
    .query(({ ctx, input }) => countDeliveries(ctx.deps, ctx.merchantId, input)),
  resend: sender
    .input(ofDelivery)
    .mutation(({ ctx, input }) => resendOwn(ctx.deps, ctx.merchantId, input.deliveryId)),
  recover: sender
    .input(z.strictObject({ since: instant, latest: z.boolean() }))
    .mutation(({ ctx, input }) => recoverMissed(ctx.deps, { ...input, merchantId: ctx.merchantId })),
  recoveries: viewer.query(({ ctx }) => listRecoveries(ctx.deps, ctx.merchantId)),
});

const exportInput = z.strictObject({
  /** Only events with a higher sequence number. */
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the sequence number of an event')
    .transform(Number)
    .optional(),
});

/** `/backoffice/export/events.jsonl`: the merchant's events in order, one JSON object per line, with the exact bodies. */
export const eventsExport = exportRoute(
  'events.jsonl',
  { who: 'owner' },
  exportInput,
  ({ deps, merchantId }, { after = 0 }) => ({
    lines: linesOf(exportEvents(deps, merchantId, { after })),
  }),
);

async function* linesOf(events: AsyncIterable<ExportedEvent>): AsyncGenerator<string> {
  for await (const event of events) yield `${JSON.stringify(event)}\n`;
}
