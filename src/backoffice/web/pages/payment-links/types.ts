import type { Format } from '../../lib/format.ts';
import type { COMMON } from '../../lib/i18n.ts';
import type { RouterOutputs } from '../../lib/trpc.ts';
import type { TEXTS } from './texts.ts';

type Outputs = RouterOutputs['paymentLinks'];

export type PaymentLink = Outputs['list']['rows'][number];
export type ShownLink = Outputs['show'];

/** Why a link takes no more payments, or `active`. */
export function stateOf({ active, closedAt, usesMax, uses }: PaymentLink) {
  if (active) return 'active';
  if (closedAt !== null) return 'closed';
  return usesMax !== null && uses >= usesMax ? 'used' : 'expired';
}

/** The amount of a link in words. */
export function amountOf(
  link: PaymentLink,
  words: typeof TEXTS.en & Pick<typeof COMMON.en, 'between'>,
  format: Format,
): string {
  const { amountCents, minCents, maxCents } = link;
  if (amountCents !== null) return format.euro(amountCents);
  if (minCents !== null && maxCents !== null)
    return words.between(format.euro(minCents), format.euro(maxCents));
  if (minCents !== null) return words.from(format.euro(minCents));
  return maxCents === null ? words.anyAmount : words.upTo(format.euro(maxCents));
}
