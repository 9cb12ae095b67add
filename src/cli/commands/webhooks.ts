import type { Command } from '../command.ts';
import { asArray, asLines } from '../output.ts';
import { runPaged } from '../paged.ts';

export const WEBHOOKS: readonly Command[] = [
  {
    name: 'webhook test',
    usage: 'ID',
    summary: 'Sends a webhook.test event to the merchant.',
    async run(input, cli) {
      const { sendTestEvent } = await import('../../webhooks/test-event.ts');
      return { value: await sendTestEvent(await cli.open(), input.id('mer', 0)) };
    },
  },
  {
    name: 'webhook resend',
    usage: 'DELIVERY_ID',
    summary: 'Resends the event of a delivery.',
    async run(input, cli) {
      const { resendDelivery } = await import('../../webhooks/resend.ts');
      return { value: await resendDelivery(await cli.open(), input.id('dlv', 0)) };
    },
  },
  {
    name: 'webhook rotate',
    usage: 'ID [--now]',
    summary:
      'Creates a new webhook secret. The old one keeps signing for 24 hours, or stops immediately with --now.',
    async run(input, cli) {
      const { rotateWebhookSecret } = await import('../../merchants/rotate-secret.ts');
      const deps = await cli.open();
      return { value: await rotateWebhookSecret(deps, input.id('mer', 0), { now: input.on('now') }) };
    },
  },
  {
    name: 'webhook rotate-finish',
    usage: 'ID',
    summary: 'Finishes a rotation: from now on, only the new secret is used.',
    async run(input, cli) {
      const { finishRotation } = await import('../../merchants/rotate-secret.ts');
      return { value: await finishRotation(await cli.open(), input.id('mer', 0)) };
    },
  },
  {
    name: 'webhook recover',
    usage: 'ID --since T [--latest]',
    summary:
      'Resends the events that were undelivered or skipped since an instant or a day (UTC). With --latest, only the latest event of each transaction.',
    async run(input, cli) {
      const { recoverEvents } = await import('../../webhooks/recovery/recover-events.ts');
      const merchantId = input.id('mer', 0);
      const since = input.instant('since');
      const events = recoverEvents(await cli.open(), { merchantId, since, latest: input.on('latest') });
      const value = await runPaged(events, (count) => cli.report(`${count} events queued`));
      cli.report(`${value.queued} events queued; run "webhook recovery ${merchantId}" to see the progress`);
      return { value };
    },
  },
  {
    name: 'webhook recovery',
    usage: 'ID',
    summary: 'Shows the recoveries of a merchant and their progress.',
    async run(input, cli) {
      const { listRecoveries } = await import('../../webhooks/recovery/list.ts');
      return { value: await listRecoveries(await cli.open(), input.id('mer', 0)) };
    },
  },
  {
    name: 'webhook listen',
    usage: '--url BASE [--key API_KEY] [--forward http://localhost:3000/hook] [--replay N]',
    summary:
      'Shows the events of a merchant as they happen and posts each to --forward, with the body and headers of a delivery. Requires no public URL. The key can also be set in API_KEY.',
    run: async (input, cli) => (await import('../listen/listen.ts')).listen(input, cli),
  },
  {
    name: 'webhook doctor',
    usage: 'URL [--secret whsec_…] [--count-url URL] [--order-id O] [--amount 19.99]',
    summary:
      'Tests a webhook receiver with simulated payments and reports the rules that it breaks and how to fix them. --count-url must return the number of paid orders, as 3 or {"count": 3}; without it, the rules about recording a payment once are not verified. The secret can also be set in WEBHOOK_SECRET. Exit code: 0 if every rule is verified, 1 if a rule is broken, 2 if rules are not verified.',
    run: async (input, cli) => (await import('../doctor/doctor.ts')).doctor(input, cli),
  },
  {
    name: 'event export',
    usage: 'ID [--after 0] [--limit L]',
    summary:
      'Exports events with a sequence number above --after, with the exact body that was sent: one JSON array with --json, else one line per event.',
    async run(input, cli) {
      const { requireMerchant } = await import('../../merchants/store.ts');
      const { exportEvents } = await import('../../webhooks/export-events.ts');
      const merchantId = input.id('mer', 0);
      const range = { after: input.integer('after') ?? 0, limit: input.integer('limit') };
      const deps = await cli.open();
      await requireMerchant(deps.db.read, merchantId);
      const events = exportEvents(deps, merchantId, range);
      return { stream: cli.json ? asArray(events) : asLines(events) };
    },
  },
];
