import { sql, type Updateable } from 'kysely';
import { inject, onTestFinished } from 'vitest';
import type { Database, Tx } from '../../src/db/database.ts';
import type { MerchantTable } from '../../src/db/tables/merchants.ts';
import type {
  DeliveryState,
  DeliveryTable,
  EventKind,
  StatusEventKind,
} from '../../src/db/tables/webhooks.ts';
import type { Deps } from '../../src/deps.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { cents } from '../../src/kernel/money.ts';
import { newWebhookSecret } from '../../src/merchants/secrets.ts';
import { appendEvent } from '../../src/webhooks/append.ts';
import { claimDue } from '../../src/webhooks/delivery/claim.ts';
import { Dispatcher, type DispatcherOptions } from '../../src/webhooks/delivery/dispatcher.ts';
import { lockTransactions } from '../../src/webhooks/delivery/store.ts';
import { Numbering } from '../../src/webhooks/numbering.ts';
import { temporaryDatabase } from '../support/database.ts';
import { depsOn } from '../support/deps.ts';
import { type FakeClock, fakeClock } from '../support/fake-clock.ts';
import { insertRows, selectRow, selectRows, updateRows } from '../support/rows.ts';
import { type ReceiverHandler, startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';

export interface Shop {
  id: Id<'mer'>;
  secret: string;
}

export type KitDeps = Pick<
  Deps,
  'db' | 'clock' | 'random' | 'ids' | 'box' | 'settings' | 'log' | 'metrics' | 'wakeDispatcher' | 'queueMail'
>;

/** Everything that webhooks need, over a real database; the dispatcher is started by `start`. */
export async function webhookKit<C extends Clock = FakeClock>(
  options: { clock?: C; db?: Database; allowPrivateNetworks?: boolean } = {},
) {
  const clock = (options.clock ?? fakeClock()) as C;
  const db = options.db ?? (await temporaryDatabase());
  let dispatcher: Dispatcher | null = null;
  const env = { SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS: String(options.allowPrivateNetworks ?? true) };
  const deps: KitDeps = {
    ...depsOn(db, clock, env),
    wakeDispatcher: (merchantId) => dispatcher?.wake(merchantId),
  };
  return {
    deps,
    db,
    clock,
    start(dispatcherOptions: DispatcherOptions = {}): Dispatcher {
      const started = new Dispatcher(deps, { stopGraceMs: 0, ...dispatcherOptions });
      dispatcher = started;
      onTestFinished(() => started.stop());
      started.start();
      return started;
    },
    shop: (webhookUrl: string | null, enabled = true) => newShop(deps, webhookUrl, enabled),
    async payment({ id: merchant_id }: Shop): Promise<Payment> {
      const [id, now] = [deps.ids('tx'), clock.now()];
      await insertRows(db, 'transactions', { id, merchant_id, paid_at: now, created_at: now });
      return { id, events: 0 };
    },
    announce: (shop: Shop, payment: Payment, kind: StatusEventKind = 'payment.success') =>
      db.unit(async (tx) => {
        // As the service does: an event inserted while an earlier one ends would otherwise stay blocked.
        await lockTransactions(tx, [{ transaction_id: payment.id, merchant_id: shop.id }]);
        return await announceIn(tx, deps, shop, payment, kind);
      }),
    announceIn: (tx: Tx, shop: Shop, payment: Payment, own: KitDeps = deps) =>
      announceIn(tx, own, shop, payment, 'payment.success'),
    /** Changes the merchant's row. */
    set: ({ id }: Shop, values: Updateable<MerchantTable>) => updateRows(db, 'merchants', values, { id }),
    /** Changes a delivery, as another process might. */
    setDelivery: (id: Id<'dlv'>, values: Updateable<DeliveryTable>) =>
      updateRows(db, 'deliveries', values, { id }),
    delivery: (id: Id<'dlv'>) => selectRow(db, 'deliveries', { id }),
    /** Waits until the delivery is in this state. */
    reaches: (id: Id<'dlv'>, state: DeliveryState) =>
      until(async () => (await selectRow(db, 'deliveries', { id })).state === state, `${id} to be ${state}`),
    attempts: (id: Id<'dlv'>) => selectRows(db, 'delivery_attempts', { delivery_id: id }),
  };
}

export type Kit = Awaited<ReturnType<typeof webhookKit>>;

/** Announces one event of each of `count` new payments. Returns the deliveries. */
export async function announceMany(kit: Kit, shop: Shop, count: number): Promise<Id<'dlv'>[]> {
  const payments = await Promise.all(Array.from({ length: count }, () => kit.payment(shop)));
  const made = await Promise.all(payments.map((payment) => kit.announce(shop, payment)));
  return made.map(({ deliveryId }) => deliveryId);
}

/** A receiver, a running dispatcher, by default with a fake clock, and a shop whose webhook is the receiver. */
export async function delivering<C extends Clock = FakeClock>(
  handler?: ReceiverHandler,
  { clock, db, ...options }: DispatcherOptions & { clock?: C; db?: Database } = {},
) {
  const receiver = await startReceiver(handler);
  const kit = await webhookKit({ ...(clock && { clock }), ...(db && { db }) });
  const dispatcher = kit.start({ ca: receiver.ca, ...options });
  return { receiver, kit, dispatcher, shop: await kit.shop(receiver.url) };
}

/** Advances the clock through the four attempts of a failing delivery, the first of which is number `before` + 1. */
export async function fourAttempts(
  kit: Pick<Kit, 'attempts'> & { clock: FakeClock },
  id: Id<'dlv'>,
  before = 0,
): Promise<void> {
  for (const [index, waitMs] of [0, 200, 1000, 5000].entries()) {
    await kit.clock.advance(waitMs);
    await until(
      async () => (await kit.attempts(id))[before + index]?.duration_ms === 0,
      `attempt ${before + index + 1}`,
    );
  }
}

/** Lets a failing delivery end after its four attempts. */
export async function failed(kit: Kit & { clock: FakeClock }, id: Id<'dlv'>): Promise<void> {
  await fourAttempts(kit, id);
  await kit.reaches(id, 'undelivered');
}

export interface Payment {
  id: Id<'tx'>;
  events: number;
}

async function newShop(deps: KitDeps, webhookUrl: string | null, enabled: boolean): Promise<Shop> {
  const id = deps.ids('mer');
  const secret = newWebhookSecret(deps.random);
  await insertRows(deps.db, 'merchants', {
    id,
    webhook_url: webhookUrl,
    webhook_enabled: enabled ? 1 : 0,
    webhook_secret: deps.box.encrypt(secret, `merchants.webhook_secret:${id}`),
  });
  return { id, secret };
}

/** Writes a delivery of a new event, or of this one, made now and, unless it is due, ended now. */
export async function writeDelivery(
  { deps }: Pick<Kit, 'deps'>,
  shop: Shop,
  state: DeliveryState,
  { kind = 'payment.success', event, attempts = 0 }: WrittenDelivery = {},
) {
  const { db, ids, clock } = deps;
  const [id, event_id, now] = [ids('dlv'), event ?? ids('evt'), clock.now()];
  const made = { merchant_id: shop.id, kind, created_at: now };
  if (event === undefined) await insertRows(db, 'events', { ...made, id: event_id });
  const finished_at = state === 'due' ? null : now;
  await insertRows(db, 'deliveries', { ...made, id, event_id, state, finished_at, attempts_count: attempts });
  for (let number = 1; number <= attempts; number++)
    await insertRows(db, 'delivery_attempts', { delivery_id: id, number, started_at: now });
  return { id, event: event_id };
}

interface WrittenDelivery {
  kind?: EventKind;
  event?: Id<'evt'>;
  attempts?: number;
}

async function announceIn(tx: Tx, deps: KitDeps, shop: Shop, payment: Payment, kind: StatusEventKind) {
  payment.events++;
  const paid = kind === 'payment.success';
  return await appendEvent(tx, deps, {
    merchantId: shop.id,
    transactionId: payment.id,
    kind,
    transactionSequence: payment.events,
    data: {
      id: payment.id,
      externalOrderId: 'order-1',
      amount: cents(1999),
      paymentMethod: 'MBWAY',
      status: paid ? 'paid' : 'cancelled',
      paidAt: paid ? deps.clock.now() : null,
    },
  });
}

/** Gives all committed events their sequence numbers. */
export async function numberAll({ deps }: Pick<Kit, 'deps'>): Promise<void> {
  const numbering = new Numbering(deps, () => {});
  while (await numbering.isNeeded()) {
    await numbering.start();
    await numbering.drain();
  }
}

/** Claims a due delivery. Resolves to its attempt. */
export async function claim({ deps }: Pick<Kit, 'deps'>, { id: merchant_id }: Shop, id: Id<'dlv'>) {
  await numberAll({ deps });
  const [attempt] = (await claimDue(deps, [{ id, merchant_id }], { queue: 'fresh' })).claimed;
  if (attempt === undefined) throw new Error('nothing was claimed');
  return attempt;
}

/** The address of a PostgreSQL test database. */
export async function urlOf(db: Database): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db.read);
  return Object.assign(new URL(inject('postgresUrl') ?? ''), { pathname: rows[0]?.name ?? '' }).href;
}
