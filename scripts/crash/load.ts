import { setTimeout as wait } from 'node:timers/promises';
import { Prng } from '../sim/prng.ts';
import type { Order, Shop } from './call-log.ts';
import { type Answer, ask, call, create, type LoadOptions } from './calls.ts';
import { postForm, VISIT_KINDS, visit } from './checkout-load.ts';
import { runRefunds } from './refund-load.ts';

const CALLERS = 16;
const PAUSE_MS = [1, 40] as const;
/** The time that a customer waits before paying; often longer than the service runs. */
const PAYMENT_DELAY_MS = [0, 800] as const;

/** A phone that does not answer automatically in the sandbox. */
const MANUAL_PHONE = '912345678';
/** On a busy machine the bank may answer too late. */
const BANK_TROUBLE = 502;
const INTERNAL_ERROR = 500;
/** The first shop has most orders; see createShops. */
const SHOP_WEIGHTS = { 0: 40, 1: 10, 2: 25, 3: 25 };
/** The probability that the bank fails when a shop with a fallback requests a reference. */
const BANK_FAILS = 0.6;

/** Weights of a customer's actions on an order. The sandbox's phones act automatically; 8 loses the bank's response. */
const ORDER_KINDS = {
  'push 1': 22,
  'push 2': 6,
  'push 3': 4,
  'push 4': 4,
  'push 6': 8,
  'push 7': 8,
  'push 8': 4,
  'push 9': 5,
  'push 10': 5,
  'reference paid': 14,
  'reference paid twice': 7,
  'reference unpaid': 3,
  'reference and push, both paid': 6,
  nothing: 4,
  session: 25,
  link: 8,
};

interface Reference {
  entity: string;
  reference: string;
}

/** Starts customers, shops and operators; `stop` waits for calls in flight. */
export function startLoad(options: LoadOptions): { stop(): Promise<void> } {
  let stopped = false;
  const callers = Array.from({ length: options.callers ?? CALLERS }, async (_, index) => {
    const caller = new Caller(options, index);
    if (index === 0) await caller.repeat();
    while (!stopped && ((await caller.order()) || options.patient)) await wait(caller.prng.int(...PAUSE_MS));
  });
  const refunds = runRefunds(options, () => stopped);
  return {
    async stop() {
      stopped = true;
      await Promise.all([...callers, refunds]);
    },
  };
}

/** Creates orders one after the other: init, method steps, payment. */
class Caller {
  readonly prng: Prng;
  readonly #options: LoadOptions;
  readonly #name: string;
  #orders = 0;

  constructor(options: LoadOptions, index: number) {
    this.#options = options;
    this.#name = `${options.round}-${index}`;
    this.prng = new Prng(`${options.seed} caller ${this.#name}`);
  }

  /** Repeats unanswered orders and one answered init: the same key returns the same transaction. */
  async repeat(): Promise<void> {
    const { log } = this.#options;
    for (const order of log.unanswered.splice(0)) await this.#create(order);
    const known = [...log.inits].at(-1);
    if (known === undefined) return;
    const again = await create(this.#options.url, known[1]);
    if (again === null || again.body.transactionId === known[0]) return;
    log.faults.push(`${known[0]} was acknowledged; its repetition answered ${JSON.stringify(again)}`);
  }

  /** Returns false when the service does not answer. */
  async order(): Promise<boolean> {
    const { shops } = this.#options;
    const orderId = `ORDER-${this.#name}-${this.#orders++}`;
    const shop = shops[Number(this.prng.weighted(SHOP_WEIGHTS))] as Shop;
    const amount = this.prng.int(100, 9999) / 100;
    const kind = this.prng.weighted(ORDER_KINDS);
    if (kind === 'link') return this.#visitLink(shop, amount);
    const made = await this.#create({ shop, orderId, amount, hosted: kind === 'session' });
    if (made === null) return false;
    if (kind === 'nothing') return true;
    if (kind === 'session') return this.#visit(made.url);
    const id: string = made.transactionId;
    const phone = /\d+$/.exec(kind)?.[0];
    if (phone !== undefined) return this.#push(shop, id, `9110000${phone.padStart(2, '0')}`);
    const reference = await this.#reference(shop, id);
    if (reference === 'unanswered') return false;
    if (kind.endsWith('both paid') && !(await this.#push(shop, id, MANUAL_PHONE))) return false;
    if (reference !== 'refused')
      await this.#pay(reference, kind === 'reference unpaid' ? 0 : kind.endsWith('twice') ? 2 : 1);
    return true;
  }

  async #create(order: Order): Promise<Answer['body'] | null> {
    const { url, log } = this.#options;
    const answer = this.#orNone(await create(url, order));
    if (answer === null) log.unanswered.push(order);
    else if (answer.status === 200) {
      if (order.hosted) log.sessions.set(answer.body.sessionId, order);
      else log.inits.set(answer.body.transactionId, order);
      this.#options.onInit?.();
    } else log.faults.push(`${order.orderId} was answered ${JSON.stringify(answer)}`);
    return answer?.status === 200 ? answer.body : null;
  }

  async #visit(page: string): Promise<boolean> {
    const reference = await visit(page, this.prng.pick(VISIT_KINDS), this.prng, this.#options);
    if (reference !== null) await this.#pay(reference, 1);
    return true;
  }

  async #visitLink({ linkUrl }: Shop, amount: number): Promise<boolean> {
    const { log } = this.#options;
    const opened = await postForm(linkUrl, { amount: String(amount) }, this.#options);
    if (opened === null) return false;
    const page = new URL(opened, linkUrl).href;
    log.linkPages.push(page);
    return this.#visit(page);
  }

  async #push(shop: Shop, transactionId: string, phoneNumber: string): Promise<boolean> {
    const { url, sandboxUrl, log } = this.#options;
    const answer = this.#orNone(
      await call(url, shop, '/api/v1/payments/mbway', { transactionId, phoneNumber }),
    );
    if (answer === null) return false;
    if (answer.status === 200) log.pushes.push({ transactionId, phoneNumber });
    else if (answer.status !== BANK_TROUBLE)
      log.faults.push(`the push of ${transactionId} answered ${JSON.stringify(answer)}`);
    // The newest push of this phone may be another caller's; either may be accepted.
    if (phoneNumber === MANUAL_PHONE)
      await ask(`${sandboxUrl}/control/mbway`, { phoneNumber, outcome: 'accept' });
    return true;
  }

  async #reference(shop: Shop, transactionId: string): Promise<Reference | 'unanswered' | 'refused'> {
    const { url, sandboxUrl, log } = this.#options;
    if (shop.hasFallback && this.prng.chance(BANK_FAILS))
      await ask(`${sandboxUrl}/control/faults`, { mode: 'error500', times: 1 });
    const answer = this.#orNone(await call(url, shop, '/api/v1/payments/multibanco', { transactionId }));
    if (answer === null) return 'unanswered';
    if (answer.status !== 200) {
      if (answer.status !== BANK_TROUBLE)
        log.faults.push(`the reference of ${transactionId} answered ${JSON.stringify(answer)}`);
      return 'refused';
    }
    const { entity, reference } = answer.body;
    log.references.push({ transactionId, entity, reference });
    return { entity, reference };
  }

  #orNone(answer: Answer | null): Answer | null {
    return this.#options.patient && answer?.status === INTERNAL_ERROR ? null : answer;
  }

  async #pay(reference: Reference, times: number): Promise<void> {
    for (let time = 0; time < times; time++) {
      await wait(this.prng.int(...PAYMENT_DELAY_MS));
      await ask(`${this.#options.sandboxUrl}/control/multibanco`, reference);
    }
  }
}
