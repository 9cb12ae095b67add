import { randomBytes } from 'node:crypto';

/** A push on its way: when the customer must have answered it, and how it ended. */
export interface Push {
  phoneNumber: string;
  /** UTC milliseconds. */
  until: number;
  ended: 'rejected' | 'lapsed' | null;
}

export interface Reference {
  entity: string;
  reference: string;
  expiresAt: string;
  expired: boolean;
}

/** A webhook as it arrived, for the panel of the page; a real shop would only log it. */
export interface Arrived {
  at: string;
  event: string;
  deliveryId: string;
  signature: string;
  body: string;
  /** It had come before: nothing was done. */
  repeated: boolean;
}

export interface Order {
  /** In the page's address: nobody can guess it. */
  readonly id: string;
  /** What the customer and the bank read. */
  readonly number: string;
  readonly quantity: number;
  readonly amount: number;
  readonly customer: { readonly name: string; readonly email: string };
  /** Oldest first: when a payment failed or lapsed, the next try is a new transaction under the same number. */
  readonly transactionIds: string[];
  /** Whether the newest transaction has come to its end. */
  ended: boolean;
  push: Push | null;
  reference: Reference | null;
  paid: { method: string; at: string; confirmedBy: 'webhook' | 'status' } | null;
  readonly webhooks: Arrived[];
  /** When the service was last asked, UTC milliseconds; a step that it has just answered is an answer as well. */
  askedAt: number;
}

const ORDERS_MAX = 1000;
const ID_BYTES = 16;

/** Kept in memory, for an example; a real shop keeps its orders in its database. */
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

  /** Also by a transaction that an order has left behind: money can still arrive on it. */
  ofTransaction(transactionId: string): Order | undefined {
    return [...this.#byId.values()].find(({ transactionIds }) => transactionIds.includes(transactionId));
  }
}
