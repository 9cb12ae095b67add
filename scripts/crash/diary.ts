/** What an order asked for; its key makes a repetition the same order. */
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

/** What the callers were told, in the order of the telling: all of this must be true for ever. */
export interface Diary {
  inits: Map<string, Order>;
  pushes: { transactionId: string; phoneNumber: string }[];
  references: { transactionId: string; entity: string; reference: string }[];
  /** Inits without an answer: repeated after the restart, each makes one transaction, whether the first try did or not. */
  cut: Order[];
  /** Answers that nobody should ever get. */
  faults: string[];
}

export function emptyDiary(): Diary {
  return { inits: new Map(), pushes: [], references: [], cut: [], faults: [] };
}
