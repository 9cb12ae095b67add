/** An order; its id is the idempotency key of each repetition. */
export interface Order {
  shop: Shop;
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
export class CallLog {
  readonly inits = new Map<string, Order>();
  readonly sessions = new Map<string, Order>();
  /** The addresses of sessions that a payment link created. */
  readonly linkPages: string[] = [];
  readonly refunds: RefundCall[] = [];
  readonly pushes: { transactionId: string; phoneNumber: string }[] = [];
  readonly references: { transactionId: string; entity: string; reference: string }[] = [];
  /** Inits and sessions without a response, which are repeated after the restart; each is created once in total. */
  readonly unanswered: Order[] = [];
  /** When the only process of the service was killed, UTC milliseconds. */
  readonly kills: number[] = [];
  /** Unexpected answers. */
  readonly faults: string[] = [];
}
