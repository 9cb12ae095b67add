import { setMerchant } from '../../src/merchants/set-merchant.ts';
import type { Prng } from '../sim/prng.ts';
import type { ActingDeps } from './actions.ts';
import { newReference, paymentRecord, token } from './bank.ts';
import { type Buyer, createBasket, createBuyer, createTracking } from './buyers.ts';
import { orderTimes } from './calendar.ts';
import { DELIVERY_MAX_MS } from './deliveries.ts';
import type { DemoDeps, Step } from './fill.ts';
import { planOrder } from './scenario.ts';
import type { OpenShop } from './shops.ts';

const DAY_MS = 86_400_000;
export const DEMO_DAYS = 183;
/** The share of orders from new customers. */
const NEWCOMERS = 0.42;
const UNMATCHED_COUNT = 9;

/** Plans everything that customers and banks do with `count` orders. */
export function planOrders(deps: ActingDeps, prng: Prng, count: number, shops: readonly OpenShop[]): Step[] {
  const steps: Step[] = [];
  for (const shop of shops) {
    addOrders(deps, prng.fork(shop.name), count, shop, steps);
    const run = () => setMerchant(deps, shop.merchantId, { hold: true });
    steps.push({ at: deps.until - shop.heldDays * DAY_MS, run });
  }
  addUnmatched(deps, prng.fork('unmatched'), count, shops, steps);
  return steps.filter(({ at }) => at <= deps.until - DELIVERY_MAX_MS);
}

function addOrders(deps: ActingDeps, prng: Prng, count: number, shop: OpenShop, steps: Step[]): void {
  const times = orderTimes(prng, deps.until - 60_000, DEMO_DAYS, Math.round(count * shop.share));
  const buyers: Buyer[] = [];
  for (const [number, at] of times.entries()) {
    let buyer = buyers.length > 0 && !prng.chance(NEWCOMERS) ? prng.pick(buyers) : undefined;
    if (buyer === undefined) {
      buyer = createBuyer(prng, buyers.length + 1);
      buyers.push(buyer);
    }
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
  [shop]: readonly OpenShop[],
  steps: Step[],
): void {
  if (shop === undefined) throw new RangeError('there is no shop');
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
