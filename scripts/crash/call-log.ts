/** An order; a repetition has the same idempotency key. */
export interface Order {
  shop: Shop;
  key: string;
  orderId: string;
  /** In EUR. */
  amount: number;
}

export interface Shop {
  apiKey: string;
  /** Without one, deliveries are skipped. */
  hasEndpoint: boolean;
}

/** The answers that callers received, in order; all of it must stay true. */
export interface CallLog {
  inits: Map<string, Order>;
  pushes: { transactionId: string; phoneNumber: string }[];
  references: { transactionId: string; entity: string; reference: string }[];
  /** Inits without an answer, which are repeated after the restart; each creates one transaction in total. */
  unanswered: Order[];
  /** Unexpected answers. */
  faults: string[];
}

export function emptyCallLog(): CallLog {
  return { inits: new Map(), pushes: [], references: [], unanswered: [], faults: [] };
}
