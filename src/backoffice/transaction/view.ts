import type {
  AttemptState,
  DeliveryState,
  EndReason,
  EventKind,
  PaymentMethod,
  TransactionStatus,
} from '../../db/tables/tables.ts';
import type { CanonicalCustomer, CanonicalItem } from '../../payments/init-order.ts';
import type { ReceiptFlag } from '../../payments/store.ts';
import type { DeliveryOrigin, TimelineEntry } from './timeline-entry.ts';

/** One transaction as its page shows it. Amounts in cents, instants in UTC milliseconds. */
export interface TransactionDetail {
  transactionId: string;
  merchantId: string;
  merchantName: string;
  orderId: string;
  amountCents: number;
  status: TransactionStatus;
  /** Always false to a merchant: a held payment looks pending to it, as it does through its API. */
  held: boolean;
  method: PaymentMethod | null;
  createdAt: number;
  paidAt: number | null;
  storeDomain: string;
  /** The money that came, whatever its flags. */
  receivedCents: number;
  /** The service's own time, so that a countdown does not depend on the reader's clock. */
  now: number;
  /** Whether more is to be expected soon: the page then asks again. */
  live: boolean;
  attempts: AttemptDetail[];
  receipts: ReceiptDetail[];
  deliveries: DeliveryDetail[];
  /** For how long the details of a delivery's attempts are kept. */
  attemptsKeptDays: number;
  timeline: TimelineEntry[];
  customer: CanonicalCustomer | null;
  shippingAddress: Record<string, string> | null;
  items: CanonicalItem[] | null;
  tracking: Record<string, string> | null;
}

export interface AttemptDetail {
  attemptId: string;
  method: PaymentMethod;
  state: AttemptState;
  amountCents: number;
  phoneNumber: string | null;
  entity: string | null;
  reference: string | null;
  expiresAt: number | null;
  createdAt: number;
  acceptedAt: number | null;
  endedAt: number | null;
  endReason: EndReason | null;
  /** What only the operator reads; null to a merchant. */
  internal: { bankOrderId: string; requestId: string | null; accountId: string } | null;
}

export interface ReceiptDetail {
  receiptId: string;
  attemptId: string | null;
  method: PaymentMethod | null;
  amountCents: number;
  /** The bank's time of payment. */
  paidAt: number;
  recordedAt: number;
  flags: ReceiptFlag[];
  settlement: 'assigned' | 'credited' | 'returned' | null;
  settledAt: number | null;
  returnedCents: number | null;
  internal: { requestId: string | null; bankOrderId: string | null; accountId: string } | null;
}

export interface DeliveryDetail {
  deliveryId: string;
  eventId: string;
  kind: EventKind;
  /** The event's number among the merchant's; null until it has one, an instant after the event. */
  number: number | null;
  state: DeliveryState;
  origin: DeliveryOrigin;
  createdAt: number;
  finishedAt: number | null;
  nextAttemptAt: number | null;
  /** All that were made; of those that are older than `attemptsKeptDays` no more is known. */
  attemptsCount: number;
  attempts: DeliveryAttemptDetail[];
}

export interface DeliveryAttemptDetail {
  number: number;
  startedAt: number;
  durationMs: number | null;
  status: number | null;
  /** What merchants read; null when it succeeded, or while it runs. */
  error: string | null;
  /** The operator's detail of the error; null to a merchant. */
  errorDetail: string | null;
}
