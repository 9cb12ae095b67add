import type { Insertable } from 'kysely';
import type { Settings } from '../../src/config.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { lisbonDay } from '../../src/kernel/lisbon.ts';
import { cents } from '../../src/kernel/money.ts';
import { eventBody } from '../../src/webhooks/append.ts';
import type { Prng } from '../sim/prng.ts';
import { type Buyer, createBasket, createBuyer, createTracking } from './buyers.ts';
import { orderTimes } from './calendar.ts';
import { DELIVERY_MAX_MS, deliver } from './deliveries.ts';
import { type Change, History, type ReceiptRow, receiptRow } from './history.ts';
import { idAt, token } from './ids.ts';
import { ENTITIES, runScenario } from './scenario.ts';
import { SHOPS, type Shop } from './shops.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
export const DEMO_DAYS = 183;
/** The last shop is under review hold for this many days before the end. */
export const HOLD_DAYS = 16;
/** The share of orders from new customers. */
const NEWCOMERS = 0.42;
const UNMATCHED_COUNT = 9;
/** The share of receipts without a fee in the acquirer's payment list. */
const UNKNOWN_FEES = 0.04;
const PAYOUT_DAYS = 2;
const KINDS = { paid: 'payment.success', failed: 'payment.failed', cancelled: 'payment.cancelled' } as const;

export interface World {
  prng: Prng;
  /** The end of the data, UTC milliseconds. */
  until: number;
  count: number;
  settings: Settings;
  /** The accounts of the shops, in their order; the first is the default account. */
  accounts: readonly Id<'acc'>[];
  /** The merchants, in the order of the shops. */
  merchants: readonly Id<'mer'>[];
}

type Row<K extends keyof Tables> = Insertable<Tables[K]>;

/** The tables of the generated rows, parents first. */
const TABLES = [
  ...(['leads', 'transactions', 'attempts', 'receipts', 'events'] as const),
  ...(['deliveries', 'delivery_attempts'] as const),
];

/** The generated rows by table. Totals and the numbers of events are derived from them. */
export type Rows = { [Table in (typeof TABLES)[number]]: Row<Table>[] };

/** An action on a transaction or delivery, for the audit log. */
export interface AuditedAction {
  at: number;
  action: 'transaction.released' | 'delivery.resent';
  merchantId: Id<'mer'>;
  target: string;
  details: Record<string, unknown>;
}

/** Creates all rows; the same seed, end and count give the same rows. */
export function generate(world: World): { rows: Rows; actions: AuditedAction[] } {
  const rows = Object.fromEntries(TABLES.map((table) => [table, []])) as unknown as Rows;
  const actions: AuditedAction[] = [];
  for (const [place, shop] of SHOPS.entries()) {
    const merchantId = world.merchants[place];
    const accountId = world.accounts[place];
    if (merchantId === undefined || accountId === undefined)
      throw new RangeError(`there is no merchant for ${shop.name}`);
    const shopWorld = { ...world, prng: world.prng.fork(shop.name), accountId };
    addShop(shopWorld, shop, merchantId, rows, actions);
  }
  rows.receipts.push(...unmatched(world));
  return { rows, actions };
}

function addShop(
  world: World & { accountId: Id<'acc'> },
  shop: Shop,
  merchantId: Id<'mer'>,
  rows: Rows,
  actions: AuditedAction[],
) {
  const { prng, until, accountId } = world;
  const { references, acquirer } = shop;
  const listed = prng.fork('fees');
  const holdFrom = shop === SHOPS.at(-1) ? until - HOLD_DAYS * DAY_MS : Number.POSITIVE_INFINITY;
  const times = orderTimes(prng, until - 60_000, DEMO_DAYS, Math.round(world.count * shop.share));
  const buyers: Buyer[] = [];
  for (const [number, at] of times.entries()) {
    let buyer = buyers.length > 0 && !prng.chance(NEWCOMERS) ? prng.pick(buyers) : undefined;
    if (buyer === undefined) {
      buyer = createBuyer(prng, merchantId, buyers.length + 1, at);
      buyers.push(buyer);
    }
    const history = new History(order(prng, shop, buyer, number, at), world.settings, prng);
    const { row } = history;
    runScenario(
      { history, prng, phone: buyer.phone, accountId, acquirer, references, holdFrom },
      until - DELIVERY_MAX_MS,
    );
    row.deadline_at = history.isWaiting ? at + world.settings.pendingMs : null;
    row.events_count = history.changes.length;
    rows.transactions.push(row);
    rows.attempts.push(...history.attempts);
    for (const receipt of history.receipts) addFees(listed, receipt, until);
    rows.receipts.push(...history.receipts);
    if (history.releasedAt !== null) {
      const details = { amountCents: row.amount_cents };
      const release = { at: history.releasedAt, merchantId, target: row.id, details };
      actions.push({ ...release, action: 'transaction.released' });
    }
    for (const action of addEvents(world, shop, history, rows)) actions.push(action);
  }
  for (const { lead } of buyers) rows.leads.push(lead);
}

function order(prng: Prng, shop: Shop, buyer: Buyer, number: number, at: number): History['row'] {
  const { items, amountCents } = createBasket(prng, shop);
  const tracking = createTracking(prng, shop);
  return {
    id: idAt(prng, 'tx', at),
    merchant_id: buyer.lead.merchant_id,
    order_id: `${shop.orderPrefix}${10_000 + number}`,
    amount_cents: cents(amountCents),
    status: 'pending',
    held: 0,
    paid_at: null,
    paid_method: null,
    paid_attempt_id: null,
    shown_attempt_id: null,
    store_domain: `www.${shop.domain}`,
    customer: JSON.stringify(buyer.customer),
    shipping_address: null,
    items: JSON.stringify(items),
    tracking: tracking === null ? null : JSON.stringify(tracking),
    lead_id: buyer.lead.id,
    created_at: at,
    deadline_at: null,
    events_count: 0,
    session_id: null,
    pending_until: null,
    session_paid: null,
  };
}

/** Adds the event of every change with its deliveries, in the transaction's order. Returns the resends. */
function addEvents(world: World, shop: Shop, history: History, rows: Rows): AuditedAction[] {
  const { prng, until } = world;
  const { merchant_id: merchantId, id: transactionId } = history.row;
  const enabledAt = until - (DEMO_DAYS - shop.webhookFromDay) * DAY_MS;
  const resends: AuditedAction[] = [];
  let free = 0;
  for (const [place, change] of history.changes.entries()) {
    const event = eventRow(prng, history, change);
    rows.events.push(event);
    const add = (created_at: number, lane_position: number | null) => {
      const { kind } = event;
      const ids = { event_id: event.id, merchant_id: merchantId, transaction_id: transactionId, kind };
      const delivery = { id: idAt(prng, 'dlv', created_at), ...ids, lane_position, created_at };
      const times = { from: Math.max(created_at, free), until, enabledAt };
      const made = deliver(prng, shop.endpoint, delivery, times);
      rows.deliveries.push(made.delivery);
      rows.delivery_attempts.push(...made.attempts);
      return made.delivery;
    };
    const first = add(change.at, place + 1);
    free = first.finished_at + 1;
    // Most undelivered events are resent within a day; those of the last day are not.
    if (first.state !== 'undelivered' || free > until - DAY_MS || !prng.chance(0.9)) continue;
    const again = add(free + prng.int(2, 20) * HOUR_MS, null);
    const details = { deliveryId: again.id, event: event.kind };
    resends.push({ at: again.created_at, action: 'delivery.resent', merchantId, target: first.id, details });
  }
  return resends;
}

function eventRow(prng: Prng, { row }: History, change: Change): Row<'events'> {
  const kind = KINDS[change.status];
  return {
    id: idAt(prng, 'evt', change.at),
    merchant_id: row.merchant_id,
    transaction_id: row.id,
    kind,
    body: eventBody(change.at, {
      kind,
      data: {
        id: row.id,
        externalOrderId: row.order_id,
        amount: row.amount_cents,
        paymentMethod: change.method,
        status: change.status,
        paidAt: change.paidAt,
      },
    }),
    created_at: change.at,
    sequence: null,
    position: 0,
  };
}

/** Adds the data that the acquirer's payment list contained by `until`; the newest payments are not in it yet. */
function addFees(prng: Prng, receipt: ReceiptRow, until: number): void {
  if (receipt.recorded_at > until - DAY_MS || prng.chance(UNKNOWN_FEES)) return;
  const rate = receipt.method === 'MBWAY' ? 0.007 : 0.0095;
  const fee = Math.min(receipt.amount_cents, Math.round(receipt.amount_cents * rate) + 7);
  receipt.fee_cents = cents(fee);
  receipt.net_cents = cents(receipt.amount_cents - fee);
  receipt.value_date = lisbonDay(receipt.paid_at + PAYOUT_DAYS * DAY_MS);
}

/** Returns payments that match no attempt. */
function unmatched(world: World): ReceiptRow[] {
  const prng = world.prng.fork('unmatched');
  const [account_id] = world.accounts;
  if (account_id === undefined) throw new RangeError('there is no account');
  const entity = ENTITIES.ifthenpay;
  return Array.from({ length: Math.min(UNMATCHED_COUNT, Math.ceil(world.count / 100)) }, (_, place) => {
    const recordedAt =
      world.until - DELIVERY_MAX_MS - Math.round(prng.fraction() * (5 + place * 12) * DAY_MS);
    const payment = { amount: prng.pick([1250, 2490, 1990, 3985, 7500, 845]), recordedAt };
    const reference = String(prng.int(100_000_000, 999_999_999));
    const bank = { account_id, request_id: token(prng, 20), entity, reference };
    const paidAt = recordedAt - prng.int(2000, 60_000);
    return {
      ...receiptRow(prng, { ...bank, method: 'REFERENCE' }, { ...payment, paidAt }),
      unmatched: 1 as const,
    };
  });
}
