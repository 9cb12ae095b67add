import type { Settings } from '../../src/config.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import { createIds, type Id, type IdPrefix } from '../../src/kernel/ids.ts';
import { cents } from '../../src/kernel/money.ts';
import { eventBody } from '../../src/webhooks/append.ts';
import type { Prng } from '../sim/prng.ts';
import { type Buyer, createBasket, createBuyer, token } from './buyers.ts';
import { orderTimes } from './calendar.ts';
import { DELIVERY_MAX_MS, deliver } from './deliveries.ts';
import { History, type Makers } from './history.ts';
import { Rows } from './rows.ts';
import { planScenario, runScenario, type Scenario } from './scenario.ts';
import { SHOPS, type Shop } from './shops.ts';

const DAY_MS = 86_400_000;
export const DEMO_DAYS = 183;
/** The shoe shop is under review hold for this many days before the end. */
export const HOLD_DAYS = 16;
/** The share of orders from new customers. */
const NEWCOMERS = 0.42;
const UNMATCHED_COUNT = 9;
const ORDER_ID_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

export interface World {
  prng: Prng;
  /** The end of the data, UTC milliseconds. */
  until: number;
  count: number;
  settings: Settings;
  accountId: Id<'acc'>;
  /** The merchants, in the order of the shops. */
  merchants: readonly Id<'mer'>[];
}

/** An action on a transaction or delivery, for the audit log. */
export interface AuditedAction {
  at: number;
  action: 'transaction.released' | 'transaction.credited' | 'delivery.resent';
  merchantId: Id<'mer'>;
  target: string;
  details?: Record<string, unknown>;
}

/** Creates all rows; the same seed, end and count give the same rows. */
export function generate(world: World): { rows: Rows; actions: AuditedAction[] } {
  const rows = new Rows();
  const actions: AuditedAction[] = [];
  for (const [place, shop] of SHOPS.entries()) {
    const merchantId = world.merchants[place];
    if (merchantId === undefined) throw new RangeError(`there is no merchant for ${shop.name}`);
    const prng = world.prng.fork(shop.name);
    openShop({ ...world, prng }, shop, merchantId, rows, actions);
  }
  rows.receipts.push(...unmatched(world));
  return { rows, actions };
}

function openShop(
  world: World,
  shop: Shop,
  merchantId: Id<'mer'>,
  rows: Rows,
  actions: AuditedAction[],
): void {
  const { prng, until } = world;
  const buyers: Buyer[] = [];
  const holds = shop === SHOPS.at(-1);
  const holdFrom = until - HOLD_DAYS * DAY_MS;
  const times = orderTimes(prng, until - 60_000, DEMO_DAYS, Math.round(world.count * shop.share));
  for (const [number, at] of times.entries()) {
    let buyer = buyers.length > 0 && !prng.chance(NEWCOMERS) ? prng.pick(buyers) : undefined;
    if (buyer === undefined) {
      buyer = createBuyer(prng);
      buyers.push(buyer);
    }
    const history = startHistory(world, shop, merchantId, buyer, { at, number }, rows);
    const scenario: Scenario = {
      history,
      prng,
      phone: buyer.phone,
      accountId: world.accountId,
      holdAt: (recordedAt) => holds && recordedAt >= holdFrom,
      steps: [],
      actions: [],
    };
    planScenario(scenario, shop.references);
    runScenario(scenario, until - DELIVERY_MAX_MS);
    rows.add(history);
    actions.push(...scenario.actions.map((audited) => ({ ...audited, merchantId, target: history.row.id })));
    actions.push(...announce({ ...world, prng }, shop, history, rows));
  }
}

function startHistory(
  world: World,
  shop: Shop,
  merchantId: Id<'mer'>,
  buyer: Buyer,
  { at, number }: { at: number; number: number },
  rows: Rows,
): History {
  const { prng } = world;
  const basket = createBasket(prng, shop, buyer);
  const items = JSON.stringify(basket.items);
  const tracking = basket.tracking === null ? null : JSON.stringify(basket.tracking);
  const leadId = rows.lead(
    { merchantId, at, amountCents: basket.amountCents },
    buyer.customer,
    { items, tracking },
    () => idAt(prng, 'led', at),
  );
  const row = {
    id: idAt(prng, 'tx', at),
    merchant_id: merchantId,
    order_id: `${shop.orderPrefix}${String(10_000 + number)}`,
    amount_cents: cents(basket.amountCents),
    ...{ status: 'pending' as const, held: 0 as const, paid_at: null, paid_method: null },
    ...{ paid_attempt_id: null, shown_attempt_id: null },
    store_domain: prng.chance(0.8) ? `www.${shop.domain}` : shop.domain,
    customer: JSON.stringify(buyer.customer),
    shipping_address: basket.shippingAddress === null ? null : JSON.stringify(basket.shippingAddress),
    ...{ items, tracking, lead_id: leadId, created_at: at, deadline_at: null, events_count: 0 },
  };
  const make: Makers = {
    id: (prefix, instant) => idAt(prng, prefix, instant),
    bankOrderId: () => token(prng, 15, ORDER_ID_LETTERS),
    requestId: () => token(prng, 20),
  };
  return new History(row, world.settings, make);
}

/** Adds the event of every change and its delivery; deliveries of one transaction are ordered. */
function announce({ prng, until }: World, shop: Shop, history: History, rows: Rows): AuditedAction[] {
  const { row } = history;
  const since = until - DEMO_DAYS * DAY_MS;
  const actions: AuditedAction[] = [];
  let free = 0;
  for (const [place, change] of history.changes.entries()) {
    const eventId = idAt(prng, 'evt', change.at);
    const event = {
      event_id: eventId,
      merchant_id: row.merchant_id,
      transaction_id: row.id,
      kind: change.kind,
    };
    rows.events.push({
      id: eventId,
      merchant_id: row.merchant_id,
      transaction_id: row.id,
      kind: change.kind,
      body: eventBody(change.kind, change.at, {
        id: row.id,
        externalOrderId: row.order_id,
        amount: row.amount_cents,
        paymentMethod: change.method,
        status: change.status,
        paidAt: change.paidAt,
      }),
      created_at: change.at,
      sequence: null,
      position: 0,
    });
    const from = Math.max(change.at, free);
    const id = idAt(prng, 'dlv', change.at);
    const times = { id, createdAt: change.at, from, until, since };
    const { delivery, attempts } = deliver(prng, shop, event, times, place + 1);
    free = Number(delivery.finished_at) + 1;
    rows.deliveries.push(delivery);
    rows.deliveryAttempts.push(...attempts);
    // Most undelivered events are resent within a day; those of the last day are not.
    const again = free + prng.int(2, 20) * 3_600_000;
    if (delivery.state !== 'undelivered' || free > until - DAY_MS || !prng.chance(0.9)) continue;
    const resent = { id: idAt(prng, 'dlv', again), createdAt: again, from: again, until, since };
    const second = deliver(prng, shop, event, resent, null);
    rows.deliveries.push(second.delivery);
    rows.deliveryAttempts.push(...second.attempts);
    const details = { deliveryId: resent.id, event: change.kind };
    actions.push({ at: again, action: 'delivery.resent', merchantId: row.merchant_id, target: id, details });
  }
  return actions;
}

/** Payments that match no attempt. */
function unmatched(world: World) {
  const prng = world.prng.fork('unmatched');
  return Array.from({ length: Math.min(UNMATCHED_COUNT, Math.ceil(world.count / 100)) }, (_, place) => {
    const recorded_at =
      world.until - DELIVERY_MAX_MS - Math.round(prng.fraction() * (5 + place * 12) * DAY_MS);
    const requestId = token(prng, 20);
    return {
      id: idAt(prng, 'rcp', recorded_at),
      identity: `demo:${requestId}`,
      ...{ transaction_id: null, attempt_id: null, merchant_id: null, account_id: world.accountId },
      method: 'REFERENCE' as const,
      amount_cents: cents(prng.pick([1250, 2490, 1990, 3985, 7500, 12_900, 845, 5000])),
      paid_at: Math.floor((recorded_at - prng.int(2000, 60_000)) / 1000) * 1000,
      recorded_at,
      ...{
        late: 0 as const,
        duplicate: 0 as const,
        under: 0 as const,
        over: 0 as const,
        unmatched: 1 as const,
      },
      request_id: requestId,
      bank_order_id: null,
      entity: '11990',
      reference: String(prng.int(100_000_000, 999_999_999)),
      record: JSON.stringify({ source: 'demo', requestId }),
      ...{ settled_at: null, settlement: null, returned_cents: null },
    };
  });
}

/** Creates an id of that instant. */
function idAt<P extends IdPrefix>(prng: Prng, prefix: P, at: number): Id<P> {
  const then: Pick<Clock, 'now'> = { now: () => at };
  return createIds(then as Clock, prng.bytes)(prefix);
}
