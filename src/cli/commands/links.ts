import { lisbonEndOfDay } from '../../kernel/lisbon.ts';
import type { Command } from '../command.ts';
import type { Input } from '../input.ts';

export const LINKS: readonly Command[] = [
  {
    name: 'link create',
    usage:
      '--merchant ID --title T [--amount 12.50 | --min 1 --max 500] [--order-id O] [--uses N] [--expires-at T]',
    summary:
      'Creates a payment link. Without an amount, the customer enters one. Each use is a separate order: O-1, O-2 and so on. --expires-at is an instant, or the last day in Lisbon time.',
    async run(input, cli) {
      const { createLink } = await import('../../checkout/links.ts');
      const link = {
        merchantId: input.requiredMerchant(),
        title: input.required('title'),
        amount: input.cents('amount'),
        min: input.cents('min'),
        max: input.cents('max'),
        orderId: input.text('order-id') ?? null,
        uses: input.integer('uses') ?? null,
        expiresAt: expiryOf(input),
      };
      return { value: await createLink(await cli.open(), link) };
    },
  },
  {
    name: 'link list',
    usage: '--merchant ID [--limit 100] [--after LNK]',
    summary: "Lists a merchant's payment links with the amounts paid, at most 1000 at a time.",
    async run(input, cli) {
      const { listLinks } = await import('../../checkout/links.ts');
      const { requireMerchant } = await import('../../merchants/store.ts');
      const merchantId = input.requiredMerchant();
      const page = input.page('lnk');
      const deps = await cli.open();
      await requireMerchant(deps.db.read, merchantId);
      return { value: await listLinks(deps, { merchantId, ...page }) };
    },
  },
  {
    name: 'link close',
    usage: 'LNK',
    summary: 'Closes a payment link. Open sessions continue.',
    async run(input, cli) {
      const { closeLink } = await import('../../checkout/links.ts');
      return { value: await closeLink(await cli.open(), input.id('lnk', 0)) };
    },
  },
];

/** A day ends in Lisbon, as in the back office. */
function expiryOf(input: Input): number | null {
  const text = input.text('expires-at');
  if (text === undefined) return null;
  const instant = input.instant('expires-at');
  return text.includes('T') ? instant : lisbonEndOfDay(instant);
}
