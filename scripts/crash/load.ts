import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, ask, call, init } from './calls.ts';
import type { Diary, Order, Shop } from './diary.ts';
import { createDice, type Dice } from './dice.ts';

const CALLERS = 16;
const PAUSE_MS = [1, 40] as const;
/** How long a customer takes to the machine: often longer than the service lives. */
const WALK_MS = [0, 800] as const;

/** A phone that waits for a hand. */
const HAND = '912345678';
/** A busy machine may answer too late even where the bank is next door. */
const BANK_TROUBLE = 502;
const INTERNAL_ERROR = 500;

/** What a customer does with an order, and how often. The phones act by themselves; 8 loses the bank's answer. */
const WAYS = {
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
};

interface Reference {
  entity: string;
  reference: string;
}

export interface LoadOptions {
  url: string;
  sandboxUrl: string;
  seed: number;
  round: number;
  shops: readonly [Shop, Shop];
  diary: Diary;
  /** How many sell at a time. */
  callers?: number;
  /** Callers go on when they get no answer, and take one of 500 for none: the database may be away for a while. */
  patient?: boolean;
  /** Is told of each order that was acknowledged. */
  sold?(): void;
}

/** Customers and shops, from now until `stop`, which waits for the calls under way. */
export function startLoad(options: LoadOptions): { stop(): Promise<void> } {
  let stopped = false;
  const callers = Array.from({ length: options.callers ?? CALLERS }, async (_, index) => {
    const caller = new Caller(options, index);
    if (index === 0) await caller.repeat();
    while (!stopped && ((await caller.sell()) || options.patient))
      await wait(caller.dice.between(...PAUSE_MS));
  });
  return {
    async stop() {
      stopped = true;
      await Promise.all(callers);
    },
  };
}

/** One after the other: an order, its method steps, its payment. */
class Caller {
  readonly dice: Dice;
  readonly #options: LoadOptions;
  readonly #name: string;
  #orders = 0;

  constructor(options: LoadOptions, index: number) {
    this.#options = options;
    this.#name = `${options.round}-${index}`;
    this.dice = createDice(options.seed, `caller ${this.#name}`);
  }

  /** Repeats what had no answer, and one order that had: the same key is the same transaction. */
  async repeat(): Promise<void> {
    const { diary } = this.#options;
    for (const order of diary.cut.splice(0)) await this.#init(order);
    const known = [...diary.inits].at(-1);
    if (known === undefined) return;
    const again = await init(this.#options.url, known[1]);
    if (again === null || again.body.transactionId === known[0]) return;
    diary.faults.push(`${known[0]} was acknowledged; its repetition answered ${JSON.stringify(again)}`);
  }

  /** False when the service is gone. */
  async sell(): Promise<boolean> {
    const { shops } = this.#options;
    const orderId = `ORDER-${this.#name}-${this.#orders++}`;
    const shop = shops[this.dice.chance(90) ? 0 : 1];
    const amount = this.dice.between(100, 9999) / 100;
    const id = await this.#init({ shop, key: orderId, orderId, amount });
    if (id === null) return false;
    const way = this.dice.pick(WAYS);
    if (way === 'nothing') return true;
    const phone = /\d+$/.exec(way)?.[0];
    if (phone !== undefined) return this.#push(shop, id, `9110000${phone.padStart(2, '0')}`);
    const made = await this.#reference(shop, id);
    if (made === 'cut') return false;
    if (way.endsWith('both paid') && !(await this.#push(shop, id, HAND))) return false;
    if (made !== 'refused')
      await this.#pay(made, way === 'reference unpaid' ? 0 : way.endsWith('twice') ? 2 : 1);
    return true;
  }

  async #init(order: Order): Promise<string | null> {
    const { url, diary } = this.#options;
    const answer = this.#orNone(await init(url, order));
    if (answer === null) diary.cut.push(order);
    else if (answer.status === 200) {
      diary.inits.set(answer.body.transactionId, order);
      this.#options.sold?.();
    } else diary.faults.push(`init of ${order.orderId} answered ${JSON.stringify(answer)}`);
    return answer?.status === 200 ? answer.body.transactionId : null;
  }

  async #push(shop: Shop, transactionId: string, phoneNumber: string): Promise<boolean> {
    const { url, sandboxUrl, diary } = this.#options;
    const answer = this.#orNone(await call(url, shop, '/payments/mbway', { transactionId, phoneNumber }));
    if (answer === null) return false;
    if (answer.status === 200) diary.pushes.push({ transactionId, phoneNumber });
    else if (answer.status !== BANK_TROUBLE)
      diary.faults.push(`the push of ${transactionId} answered ${JSON.stringify(answer)}`);
    // The newest push of this phone may be another caller's: somebody accepts, that is all that matters.
    if (phoneNumber === HAND) await ask(`${sandboxUrl}/control/mbway`, { phoneNumber, outcome: 'accept' });
    return true;
  }

  async #reference(shop: Shop, transactionId: string): Promise<Reference | 'cut' | 'refused'> {
    const { url, diary } = this.#options;
    const answer = this.#orNone(await call(url, shop, '/payments/multibanco', { transactionId }));
    if (answer === null) return 'cut';
    if (answer.status !== 200) {
      if (answer.status !== BANK_TROUBLE)
        diary.faults.push(`the reference of ${transactionId} answered ${JSON.stringify(answer)}`);
      return 'refused';
    }
    const { entity, reference } = answer.body;
    diary.references.push({ transactionId, entity, reference });
    return { entity, reference };
  }

  #orNone(answer: Answer | null): Answer | null {
    return this.#options.patient && answer?.status === INTERNAL_ERROR ? null : answer;
  }

  async #pay(reference: Reference, times: number): Promise<void> {
    for (let time = 0; time < times; time++) {
      await wait(this.dice.between(...WALK_MS));
      await ask(`${this.#options.sandboxUrl}/control/multibanco`, reference);
    }
  }
}
