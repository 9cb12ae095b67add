import { randomBytes } from 'node:crypto';

/** An MB WAY push. */
export interface Push {
  phoneNumber: string;
  /** When the customer must have answered, UTC milliseconds. */
  until: number;
  ended: 'rejected' | 'lapsed' | null;
}

export interface Reference {
  entity: string;
  reference: string;
  expiresAt: string;
  expired: boolean;
}

/** A received webhook, shown on the page; a real shop would log it. */
export interface Arrived {
  at: string;
  event: string;
  deliveryId: string;
  signature: string;
  body: string;
  /** A repetition, which was ignored. */
  repeated: boolean;
}

export interface Order {
  /** A random id, part of the page's address. */
  readonly id: string;
  /** The order number shown to the customer and the bank. */
  readonly number: string;
  readonly quantity: number;
  readonly amount: number;
  readonly customer: { readonly name: string; readonly email: string };
  /** Oldest first; after a failed or cancelled payment the next try is a new transaction. */
  readonly transactionIds: string[];
  /** The sessions of the payment page, oldest first; after one expires the next try is a new session. */
  readonly sessionIds: string[];
  /** Whether the newest transaction has ended. */
  ended: boolean;
  push: Push | null;
  reference: Reference | null;
  paid: { method: string; at: string; confirmedBy: 'webhook' | 'status' } | null;
  readonly webhooks: Arrived[];
  /** When the service last answered about this order, UTC milliseconds. */
  askedAt: number;
}

const ORDERS_MAX = 1000;
const ID_BYTES = 16;

/** Orders in memory; a real shop stores them in its database. */
export class Orders {
  readonly #byId = new Map<string, Order>();
  #last = 1000;

  add(order: Pick<Order, 'quantity' | 'amount' | 'customer'>): Order {
    const [oldest] = this.#byId.keys();
    if (oldest !== undefined && this.#byId.size >= ORDERS_MAX) this.#byId.delete(oldest);
    this.#last += 1;
    const made: Order = {
      ...order,
      id: randomBytes(ID_BYTES).toString('hex'),
      number: `P-${this.#last}`,
      transactionIds: [],
      sessionIds: [],
      ended: false,
      push: null,
      reference: null,
      paid: null,
      webhooks: [],
      askedAt: 0,
    };
    this.#byId.set(made.id, made);
    return made;
  }

  find(id: string): Order | undefined {
    return this.#byId.get(id);
  }

  /** Finds an order by its number, which the payment page's transactions carry. */
  ofNumber(number: string): Order | undefined {
    return [...this.#byId.values()].find((order) => order.number === number);
  }

  /** Finds an order by any of its transactions; an earlier one can still be paid. */
  ofTransaction(transactionId: string): Order | undefined {
    return [...this.#byId.values()].find(({ transactionIds }) => transactionIds.includes(transactionId));
  }
}
