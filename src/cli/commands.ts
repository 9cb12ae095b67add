import type { Command } from './command.ts';
import type { Option } from './form.ts';

const TEXT: Option = { type: 'string' };
const MANY: Option = { type: 'string', multiple: true };
const SWITCH: Option = { type: 'boolean' };
const PAGE = { limit: TEXT, after: TEXT };

/** Every command, in the order of the overview. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'merchant create',
    usage: '--name N --domain D [--domain D2] [--webhook-url U]',
    summary: 'makes a merchant and shows its API key and webhook secret',
    words: [],
    options: { name: TEXT, domain: MANY, 'webhook-url': TEXT },
    load: async () => (await import('./merchant.ts')).create,
  },
  {
    name: 'merchant set',
    usage: 'ID [--active true|false] [--hold true|false] [--webhook-url U] [--webhook-enabled true|false]',
    summary: 'opens or closes an account, holds its sales for review, sets its webhook',
    words: ['ID'],
    options: { active: TEXT, hold: TEXT, 'webhook-url': TEXT, 'webhook-enabled': TEXT },
    load: async () => (await import('./merchant.ts')).set,
  },
  {
    name: 'merchant list',
    usage: '[--limit 10000] [--after ID]',
    summary: 'lists merchants, at most 10000 at a time',
    words: [],
    options: PAGE,
    load: async () => (await import('./merchant.ts')).list,
  },
  {
    name: 'domain add',
    usage: 'ID D',
    summary: 'registers a store domain: shop.pt (with www.shop.pt), *.shop.pt, localhost or an address',
    words: ['ID', 'D'],
    options: {},
    load: async () => (await import('./domain.ts')).add,
  },
  {
    name: 'domain remove',
    usage: 'ID D',
    summary: 'takes a store domain off the list',
    words: ['ID', 'D'],
    options: {},
    load: async () => (await import('./domain.ts')).remove,
  },
  {
    name: 'key roll',
    usage: 'ID [--grace-hours 0]',
    summary: 'makes a new API key; the old ones end after the grace',
    words: ['ID'],
    options: { 'grace-hours': TEXT },
    load: async () => (await import('./key.ts')).roll,
  },
  {
    name: 'bank set',
    usage: '[--merchant ID] < credentials.json',
    summary:
      'stores bank credentials: {"mbWayKey", "mbKey", "backofficeKey", "antiPhishingKey"} on standard input',
    words: [],
    options: { merchant: TEXT },
    load: async () => (await import('./bank.ts')).set,
  },
  {
    name: 'bank register-callback',
    usage: '',
    summary: 'tells the bank to call back at SERVICE_PUBLIC_URL',
    words: [],
    options: {},
    load: async () => (await import('./bank.ts')).registerCallback,
  },
  {
    name: 'webhook test',
    usage: 'ID',
    summary: 'sends a webhook.test event to the merchant',
    words: ['ID'],
    options: {},
    load: async () => (await import('./webhook.ts')).test,
  },
  {
    name: 'webhook resend',
    usage: 'DELIVERY_ID',
    summary: 'sends the event of a delivery once more',
    words: ['DELIVERY_ID'],
    options: {},
    load: async () => (await import('./webhook.ts')).resend,
  },
  {
    name: 'transaction show',
    usage: 'TX',
    summary: 'shows a transaction with its attempts, receipts, events and deliveries',
    words: ['TX'],
    options: {},
    load: async () => (await import('./transaction.ts')).show,
  },
  {
    name: 'transaction release',
    usage: 'TX',
    summary: 'releases a held sale: it becomes paid and is announced',
    words: ['TX'],
    options: {},
    load: async () => (await import('./transaction.ts')).release,
  },
  {
    name: 'transaction credit',
    usage: 'TX',
    summary: 'makes a sale paid whose receipts together reach its amount',
    words: ['TX'],
    options: {},
    load: async () => (await import('./transaction.ts')).credit,
  },
  {
    name: 'receipt list',
    usage: '[--flag late|duplicate|under|over|unmatched] [--limit 100] [--after ID]',
    summary: 'lists money received, at most 1000 rows at a time',
    words: [],
    options: { flag: TEXT, ...PAGE },
    load: async () => (await import('./receipt.ts')).list,
  },
  {
    name: 'lead list',
    usage: '--merchant ID [--limit 100] [--after ID] [--csv]',
    summary: 'lists customers, at most 1000 at a time; --csv writes them all as CSV',
    words: [],
    options: { merchant: TEXT, csv: SWITCH, ...PAGE },
    load: async () => (await import('./lead.ts')).list,
  },
  {
    name: 'backup',
    usage: 'FILE',
    summary: 'copies the database into a new file while the service runs',
    words: ['FILE'],
    options: {},
    load: async () => (await import('./backup.ts')).backup,
  },
];
