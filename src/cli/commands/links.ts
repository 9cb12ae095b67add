import { type Cents, centsFromEuros } from '../../kernel/money.ts';
import { type Command, PAGE, TEXT } from '../command.ts';
import type { Input } from '../input.ts';

const PAGE_LIMIT = 100;

export const LINKS: readonly Command[] = [
  {
    name: 'link create',
    usage:
      '--merchant ID --title T [--amount 12.50 | --min 1 --max 500] [--order-id O] [--uses N] [--expires-at T]',
    summary:
      'Creates a payment link. Without an amount the shopper enters one. Each use is an order O-1, O-2 and so on.',
    options: {
      ...{ merchant: TEXT, title: TEXT, amount: TEXT, min: TEXT, max: TEXT },
      ...{ 'order-id': TEXT, uses: TEXT, 'expires-at': TEXT },
    },
    async run(input, cli) {
      const { createLink } = await import('../../checkout/links.ts');
      const link = {
        merchantId: merchantOf(input),
        title: input.required('title'),
        amount: amountOf(input, 'amount'),
        min: amountOf(input, 'min'),
        max: amountOf(input, 'max'),
        orderId: input.text('order-id') ?? null,
        uses: input.integer('uses') ?? null,
        expiresAt: input.text('expires-at') === undefined ? null : input.instant('expires-at'),
      };
      return { value: await createLink(await cli.open(), link) };
    },
  },
  {
    name: 'link list',
    usage: '--merchant ID [--limit 100] [--after LNK]',
    summary: "Lists a merchant's payment links with what was paid, at most 1000 at a time.",
    options: { merchant: TEXT, ...PAGE },
    async run(input, cli) {
      const { LINK_PAGE_MAX, listLinks } = await import('../../checkout/links.ts');
      const page = input.page({ limit: PAGE_LIMIT, limitMax: LINK_PAGE_MAX });
      return { value: await listLinks(await cli.open(), { merchantId: merchantOf(input), ...page }) };
    },
  },
  {
    name: 'link close',
    usage: 'LNK',
    summary: 'Closes a payment link. Sessions that are open go on.',
    words: ['LNK'],
    async run(input, cli) {
      const { closeLink } = await import('../../checkout/links.ts');
      return { value: await closeLink(await cli.open(), input.id('lnk', 0)) };
    },
  },
];

function merchantOf(input: Input): `mer_${string}` {
  const id = input.idOption('mer', 'merchant');
  if (id === undefined) throw input.wrong('--merchant is missing');
  return id;
}

function amountOf(input: Input, name: string): Cents | null {
  const euros = input.number(name);
  if (euros === undefined) return null;
  const amount = centsFromEuros(euros);
  if (amount === null) throw input.wrong(`--${name} must have at most two decimals`);
  return amount;
}
