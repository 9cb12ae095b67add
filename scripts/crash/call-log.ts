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
  /** Without an endpoint, deliveries are skipped. */
  hasEndpoint: boolean;
  /** Whether it sends mail to its customers, recovers webhooks automatically and sends refund events. */
  hasExtras: boolean;
  /** Whether its references fall back to another bank when the first fails. */
  hasFallback?: boolean;
  /** The address of its payment link. */
  linkUrl: string;
}

export interface RefundCall {
  refundId: string;
  receiptId: string;
  amount: number;
}

/** The responses that callers received, in order; the final state must agree with all of them. */
export interface CallLog {
  inits: Map<string, Order>;
  sessions: Map<string, Order>;
  /** The addresses of sessions that a payment link created. */
  linkPages: string[];
  refunds: RefundCall[];
  pushes: { transactionId: string; phoneNumber: string }[];
  references: { transactionId: string; entity: string; reference: string }[];
  /** Inits and sessions without a response, which are repeated after the restart; each is created once in total. */
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
