import { DAY_MS } from '../../src/kernel/clock.ts';
import { lisbonTime } from '../../src/kernel/lisbon.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import type { Prng } from '../sim/prng.ts';
import type { ActingDeps } from './actions.ts';
import { newReference, paymentRecord, token } from './bank.ts';
import { type Buyer, createBasket, createBuyer, createTracking } from './buyers.ts';
import { DELIVERY_MAX_MS } from './deliveries.ts';
import type { DemoDeps, Step } from './fill.ts';
import { planOrder } from './scenario.ts';
import type { OpenShop, OpenShops } from './shops.ts';

export const DEMO_DAYS = 183;
/** The share of orders from new customers. */
const NEWCOMERS = 0.42;
const UNMATCHED_COUNT = 9;
/** Weights of the days, Sunday first. */
const WEEK = [1.18, 1.12, 1, 0.98, 0.95, 0.86, 0.91];
/** Weights of the hours in Lisbon. */
const HOURS = [
  ...[1.4, 0.6, 0.3, 0.15, 0.12, 0.18, 0.5, 1.2, 2.3, 3.2, 3.8, 4.1],
  ...[4.4, 4.3, 3.7, 3.5, 3.6, 3.9, 4.2, 4.4, 5.0, 6.1, 5.6, 3.2],
];
const WEIGHT_MAX = Math.max(...WEEK) * Math.max(...HOURS);
const GROWTH = 0.55;

/** Plans everything that customers and banks do with `count` orders. */
export function planOrders(deps: ActingDeps, prng: Prng, count: number, shops: OpenShops): Step[] {
  const steps: Step[] = [];
  for (const shop of Object.values(shops)) {
    addOrders(deps, prng.fork(shop.name), count, shop, steps);
    const run = () => setMerchant(deps, shop.id, { hold: true });
    steps.push({ at: deps.until - shop.heldDays * DAY_MS, run });
  }
  addUnmatched(deps, prng.fork('unmatched'), count, shops.books, steps);
  return steps.filter(({ at }) => at <= deps.until - DELIVERY_MAX_MS);
}

function addOrders(deps: ActingDeps, prng: Prng, count: number, shop: OpenShop, steps: Step[]): void {
  const times = orderTimes(prng, deps.until - 60_000, Math.round(count * shop.share));
  const buyers: Buyer[] = [];
  for (const [number, at] of times.entries()) {
    const isKnown = buyers.length > 0 && !prng.chance(NEWCOMERS);
    const buyer = isKnown ? prng.pick(buyers) : createBuyer(prng, buyers.length + 1);
    if (!isKnown) buyers.push(buyer);
    const { items, amountCents } = createBasket(prng, shop);
    const trackingParameters = createTracking(prng, shop);
    const input = {
      orderId: `${shop.orderPrefix}${10_000 + number}`,
      amount: amountCents / 100,
      storeUrl: `https://www.${shop.domain}`,
      customer: buyer.customer,
      items,
      ...(trackingParameters !== null && { trackingParameters }),
    };
    planOrder({ deps, prng, shop, at, input, phone: buyer.phone, transactionId: '', steps });
  }
}

/** Payments that match no attempt. */
function addUnmatched(
  { until, settlement }: DemoDeps,
  prng: Prng,
  count: number,
  shop: OpenShop,
  steps: Step[],
): void {
  for (let place = 0; place < Math.min(UNMATCHED_COUNT, Math.ceil(count / 100)); place++) {
    const at = until - DELIVERY_MAX_MS - Math.round(prng.fraction() * (5 + place * 12) * DAY_MS);
    const paid = {
      method: 'REFERENCE',
      request_id: token(prng),
      ...newReference(prng, shop.acquirer),
    } as const;
    const amount = prng.pick([1250, 2490, 1990, 3985, 7500, 845]);
    const payment = { amount, paidAt: at - prng.int(2000, 60_000), hasFees: false };
    const record = paymentRecord(paid, shop.acquirer, payment);
    steps.push({ at, run: () => settlement.recordPayments(shop.accountId, [record]) });
  }
}

/** Returns `count` sorted instants before `until`, with growth and the rhythm of week and day. */
function orderTimes(prng: Prng, until: number, count: number): number[] {
  const times: number[] = [];
  while (times.length < count) {
    const share = prng.fraction();
    const at = until - Math.ceil((1 - share) * DEMO_DAYS * DAY_MS);
    const weight = weightOf(at) * (1 - GROWTH + GROWTH * share);
    if (prng.chance(weight / WEIGHT_MAX)) times.push(at);
  }
  return times.sort((a, b) => a - b);
}

function weightOf(at: number): number {
  const { year, month, day, hour } = lisbonTime(at);
  const weekday = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
  return (WEEK[weekday] ?? 0) * (HOURS[hour] ?? 0);
}
