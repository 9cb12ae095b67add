import type { RouterOutputs } from '../../lib/trpc.ts';

/** The transaction data used by the page. */
export type Detail = RouterOutputs['transaction']['show'];
export type Attempt = Detail['attempts'][number];
export type Receipt = Detail['receipts'][number];
export type Delivery = Detail['deliveries'][number];
export type Entry = Detail['timeline'][number];

/** The state of the latest attempt, and the attempts that can still be paid. */
export function situation(detail: Detail): {
  push: Attempt | undefined;
  reference: Attempt | undefined;
  unclear: boolean;
  last: Attempt | undefined;
} {
  const live = detail.attempts.filter(({ state }) => state === 'open' || state === 'initiated');
  return {
    push: live.findLast(({ method }) => method === 'MBWAY'),
    reference: live.findLast(({ method, reference }) => method === 'REFERENCE' && reference !== null),
    unclear: detail.attempts.some(({ state }) => state === 'unknown'),
    last: detail.attempts.at(-1),
  };
}

/** Returns the unresolved flags of a receipt. */
export function openFlags(receipt: Receipt): Receipt['flags'] {
  return receipt.settlement === null ? receipt.flags : [];
}

/**
 * Returns the latest delivery of each undelivered event. Skipped events of payment links are left out: a merchant with links alone
 * has no shop that waits for them.
 */
export function missedDeliveries(detail: Detail): Delivery[] {
  const byEvent = Map.groupBy(detail.deliveries, ({ eventId }) => eventId);
  return [...byEvent.values()].flatMap((deliveries) => {
    const told = deliveries.some(({ state }) => state === 'delivered' || state === 'due');
    const newest = deliveries.at(-1);
    const isUnwanted = detail.linkTitle !== null && newest?.state === 'skipped';
    return told || newest === undefined || isUnwanted ? [] : [newest];
  });
}
