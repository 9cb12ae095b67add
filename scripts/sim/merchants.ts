import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { initTransaction } from '../../src/payments/init.ts';
import { startMbway } from '../../src/payments/mbway.ts';
import { startMultibanco } from '../../src/payments/multibanco.ts';
import { readStatus } from '../../src/payments/status.ts';
import type { Merchant } from '../../src/rpc/context.ts';
import { asMerchant, callWith, inputOf, sendCall } from './calls.ts';
import { Part } from './part.ts';
import type { Service } from './service.ts';
import type { ShopId } from './world.ts';

/** A merchant's backend repeats an init after this time without a response. */
export const PATIENCE_MS = 40_000;
export const PHONES = ['911111111', '922222222'];
const STATUS_RANK = { pending: 0, failed: 1, cancelled: 1, paid: 2 };

interface Order {
  shop: ShopId;
  orderId: string;
  amount: number;
  /** Null until init was answered. */
  transactionId: string | null;
  planned: boolean;
  seen: keyof typeof STATUS_RANK;
}

/** The merchants' backends: they create payments, start method steps, repeat unanswered calls and read the status. */
export class Merchants extends Part {
  readonly orders: Order[] = [];

  plan(): void {
    const prng = this.prng;
    const { scenario, time, shops } = this.world;
    for (let i = 0; i < scenario.transactions; i++) {
      const order: Order = {
        shop: prng.pick(shops).id,
        orderId: `order-${i}`,
        amount:
          (scenario.secondAcquirer && prng.chance(0.15) ? prng.int(50, 150) : prng.int(1, 20_000)) / 100,
        transactionId: null,
        planned: false,
        seen: 'pending',
      };
      this.orders.push(order);
      time.schedule(prng.int(0, scenario.activeMs / 2), () => this.#init(order));
      if (prng.chance(0.2)) time.schedule(prng.int(0, scenario.activeMs), () => this.#init(order));
    }
  }

  #init(order: Order): void {
    const repeat = this.world.time.schedule(PATIENCE_MS, () => this.#init(order));
    const sent = this.#call(order, 'init', async (service, merchant) => {
      const answer = await initTransaction(service.deps, merchant, inputOf(order), callWith(order.orderId));
      repeat();
      const { transactionId: known } = order;
      order.transactionId = answer.transactionId;
      if (known !== null && known !== order.transactionId)
        this.world.fail('an idempotency key makes one transaction', `${known} and ${order.transactionId}`);
    });
    if (!sent || order.planned) return;
    order.planned = true;
    this.#planSteps(order);
  }

  /** Plans method steps when init is sent; steps due before its answer are skipped. */
  #planSteps(order: Order): void {
    const prng = this.prng;
    const { scenario, time } = this.world;
    const steps = prng.int(0, 4);
    let atMs = prng.int(100, 2 * MINUTE_MS);
    for (let i = 0; i < steps; i++) {
      time.schedule(atMs, () => this.#step(order));
      if (prng.chance(0.15)) time.schedule(atMs, () => this.#step(order));
      // Soon after the previous step, about when a push ends, or much later.
      atMs += prng.pick([prng.int(0, 2000), prng.int(200, 320) * 1000, prng.int(0, scenario.activeMs / 2)]);
    }
    for (let i = 0; i < 3; i++) time.schedule(prng.int(0, scenario.activeMs), () => this.readStatus(order));
  }

  #step(order: Order): void {
    if (order.transactionId === null) return;
    const { transactionId } = order;
    if (this.prng.chance(0.55)) {
      const phoneNumber = this.prng.chance(0.8) ? '911111111' : this.prng.pick(PHONES);
      this.#call(order, 'mbway', async (service, merchant) => {
        await startMbway(service.deps, merchant, { transactionId, phoneNumber });
        this.world.monitor.pushConfirmed(transactionId);
      });
    } else {
      this.#call(order, 'multibanco', async (service, merchant) => {
        const calledAt = this.world.time.now;
        const shown = await startMultibanco(service.deps, merchant, { transactionId });
        this.world.monitor.referenceShown(transactionId, shown, calledAt);
      });
    }
  }

  /** Reads the status and checks that it never reverts. */
  readStatus(order: Order): void {
    const { transactionId } = order;
    if (transactionId === null) return;
    this.#call(order, 'status', async (service, merchant) => {
      const { status } = await readStatus(service.deps, merchant, { transactionId });
      if (STATUS_RANK[status] < STATUS_RANK[order.seen]) {
        this.world.fail('a state that was read is never taken back', `${order.seen} became ${status}`);
      }
      order.seen = status;
    });
  }

  /** Returns false when no process accepts the call. */
  #call(order: Order, name: string, call: (service: Service, merchant: Merchant) => Promise<void>): boolean {
    const detail = `${order.orderId} ${order.transactionId ?? ''}`;
    return sendCall(this.world, name, detail, asMerchant(order.shop, call));
  }
}
