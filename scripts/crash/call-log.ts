/** An order; a repetition has the same idempotency key. */
export interface Order {
  shop: Shop;
  key: string;
  orderId: string;
  /** In EUR. */
  amount: number;
  /** Whether a checkout session is created. */
  hosted: boolean;
}

export interface Shop {
  merchantId: string;
  apiKey: string;
  /** Without one, deliveries are skipped. */
  hasEndpoint: boolean;
  /** Its customers receive mail, it recovers webhooks, and its refunds send events. */
  hasExtras: boolean;
  /** Its references go to another bank when the first fails. */
  hasFallback?: boolean;
  /** The address of its payment link. */
  linkUrl: string;
}

export interface RefundCall {
  refundId: string;
  receiptId: string;
  amount: number;
}

/** The answers that callers received, in order; all of it must stay true. */
export interface CallLog {
  inits: Map<string, Order>;
  sessions: Map<string, Order>;
  /** The addresses of sessions that a payment link made. */
  linkPages: string[];
  refunds: RefundCall[];
  pushes: { transactionId: string; phoneNumber: string }[];
  references: { transactionId: string; entity: string; reference: string }[];
  /** Inits and sessions without an answer, which are repeated after the restart; each is created once in total. */
  unanswered: Order[];
  /** When the only process of the service was killed, UTC milliseconds. */
  kills: number[];
  /** Unexpected answers. */
  faults: string[];
}

export function emptyCallLog(): CallLog {
  return {
    inits: new Map(),
    sessions: new Map(),
    linkPages: [],
    refunds: [],
    pushes: [],
    references: [],
    unanswered: [],
    kills: [],
    faults: [],
  };
}
