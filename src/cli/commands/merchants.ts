import type { Switch } from '../../merchants/store.ts';
import type { Command } from '../command.ts';

const MERCHANTS_LIMIT_MAX = 10_000;

export const MERCHANTS: readonly Command[] = [
  {
    name: 'merchant create',
    usage: '--name N --domain D [--domain D2] [--webhook-url U]',
    summary: 'Creates a merchant and shows its API key and webhook secret.',
    repeatable: 'domain',
    async run(input, cli) {
      const { createMerchant } = await import('../../merchants/create-merchant.ts');
      const merchant = {
        name: input.required('name'),
        domains: input.many('domain'),
        webhookUrl: input.text('webhook-url'),
      };
      return { value: await createMerchant(await cli.open({ create: true }), merchant) };
    },
  },
  {
    name: 'merchant set',
    usage:
      'ID [--active true|false] [--hold true|false] [--webhook-url U] [--webhook-enabled true|false] [--refunds true|false] [--refund-events true|false] [--auto-recover true|false] [--customer-mails true|false] [--alerts true|false]',
    summary:
      'Changes the settings of a merchant: whether it is active; whether its sales are put on hold for review; its webhook; whether its owners may refund; whether refunds send payment.refunded; whether undelivered events are recovered automatically; whether its customers get email and its owners get alerts.',
    async run(input, cli) {
      const { setMerchant } = await import('../../merchants/set-merchant.ts');
      const { restartAutoRecovery } = await import('../../webhooks/recovery/auto-recovery.ts');
      const settings = {
        active: input.boolean('active'),
        hold: input.boolean('hold'),
        webhookUrl: input.text('webhook-url'),
        webhookEnabled: input.boolean('webhook-enabled'),
        refunds: input.boolean('refunds'),
        refundEvents: input.boolean('refund-events'),
        autoRecover: input.boolean('auto-recover'),
        customerMails: input.boolean('customer-mails'),
        alerts: input.boolean('alerts'),
      } satisfies Record<Switch | 'webhookUrl', unknown>;
      const deps = await cli.open();
      return { value: await setMerchant(deps, input.id('mer', 0), settings, restartAutoRecovery) };
    },
  },
  {
    name: 'merchant list',
    usage: '[--limit 10000] [--after ID]',
    summary: 'Lists merchants, at most 10000 at a time.',
    async run(input, cli) {
      const { listMerchants } = await import('../../merchants/view.ts');
      const page = input.page('mer', { limit: MERCHANTS_LIMIT_MAX, limitMax: MERCHANTS_LIMIT_MAX });
      return { value: await listMerchants(await cli.open(), page) };
    },
  },
  {
    name: 'domain add',
    usage: 'ID D',
    summary:
      'Registers a store domain: shop.pt (includes www.shop.pt), *.shop.pt, localhost or an IP address.',
    async run(input, cli) {
      const { addDomain } = await import('../../merchants/domains.ts');
      return { value: await addDomain(await cli.open(), input.id('mer', 0), input.word(1)) };
    },
  },
  {
    name: 'domain remove',
    usage: 'ID D',
    summary: 'Removes a store domain.',
    async run(input, cli) {
      const { removeDomain } = await import('../../merchants/domains.ts');
      return { value: await removeDomain(await cli.open(), input.id('mer', 0), input.word(1)) };
    },
  },
  {
    name: 'key roll',
    usage: 'ID [--grace-hours 0]',
    summary: 'Replaces the main API key. The old main key stops working after the grace period.',
    async run(input, cli) {
      const { rollKey } = await import('../../merchants/keys.ts');
      const graceHours = input.number('grace-hours') ?? 0;
      return { value: await rollKey(await cli.open(), input.id('mer', 0), { graceHours }) };
    },
  },
  {
    name: 'key create',
    usage: 'ID --name N [--expires-in-days D]',
    summary: 'Creates a named API key in addition to the main key, for example for a second shop system.',
    async run(input, cli) {
      const { createKey } = await import('../../merchants/keys.ts');
      const merchantId = input.id('mer', 0);
      const options = { name: input.required('name'), expiresInDays: input.integer('expires-in-days') };
      return { value: await createKey(await cli.open(), merchantId, options) };
    },
  },
  {
    name: 'key list',
    usage: 'ID',
    summary: 'Lists the API keys of a merchant with name, last use and expiry.',
    async run(input, cli) {
      const { listKeys } = await import('../../merchants/keys.ts');
      return { value: await listKeys(await cli.open(), input.id('mer', 0)) };
    },
  },
  {
    name: 'key revoke',
    usage: 'ID KEY_ID',
    summary: 'Revokes a named API key: its next call is refused.',
    async run(input, cli) {
      const { revokeKey } = await import('../../merchants/keys.ts');
      return { value: await revokeKey(await cli.open(), input.id('mer', 0), input.id('key', 1)) };
    },
  },
];
