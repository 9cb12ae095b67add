import type { inferRouterOutputs } from '@trpc/server';
import type { BackofficeRouter } from '../../../router.ts';

/** What the server tells of a transaction, as the page uses it. */
export type Detail = inferRouterOutputs<BackofficeRouter>['transaction']['show'];
export type Attempt = Detail['attempts'][number];
export type Receipt = Detail['receipts'][number];
export type Delivery = Detail['deliveries'][number];
export type Entry = Detail['timeline'][number];
export type Request = inferRouterOutputs<BackofficeRouter>['transaction']['request'];

/** What happened last to the newest attempt, and what of the attempts may still bring money. */
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

/** The flags of a receipt that nobody has dealt with yet. */
export function openFlags(receipt: Receipt): Receipt['flags'] {
  return receipt.settlement === null ? receipt.flags : [];
}

/** The newest delivery of each event that never reached the shop by any of its deliveries. */
export function missedDeliveries(detail: Detail): Delivery[] {
  const byEvent = Map.groupBy(detail.deliveries, ({ eventId }) => eventId);
  return [...byEvent.values()].flatMap((deliveries) => {
    const told = deliveries.some(({ state }) => state === 'delivered' || state === 'due');
    const newest = deliveries.at(-1);
    return told || newest === undefined ? [] : [newest];
  });
}

/** `912345678` becomes `912 345 678`, as people write telephone and reference numbers. */
export function inThrees(digits: string): string {
  return digits.replace(/(\d{3})(?=\d)/g, '$1\u00a0');
}
