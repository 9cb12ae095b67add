import type { Acquirer } from '../../src/kernel/acquirer.ts';
import { lisbonTime } from '../../src/kernel/lisbon.ts';
import type { Cents } from '../../src/kernel/money.ts';

/** The account at the bank that a create request named. */
export interface TrueAccount {
  acquirer: Acquirer;
  /** ifthenpay's key of the method, or EuPago's key of the channel: belongs to one account. */
  methodKey: string;
  /** Accounts with the same key share a payment list. */
  listKey: string;
}

/** The request id of a payment for an order that is not the service's. */
export const FOREIGN = 'foreign';

/** What a push and a reference have in common. */
interface TrueRequest extends TrueAccount {
  /** At EuPago the reference. */
  requestId: string;
  orderId: string;
  amount: Cents;
}

/** A push in the bank's own state. */
export interface TruePush extends TrueRequest {
  phone: string;
  /** In simulated time. */
  createdAt: number;
  /** The service's clock at that time. */
  createdByService: number;
  state: 'waiting' | 'paid' | 'rejected' | 'declined';
  answeredAt: number | null;
}

export interface TrueReference extends TrueRequest {
  entity: string;
  reference: string;
  expiresAt: number;
}

/** Money that the bank received; at the end the service must have recorded all of it. */
export interface TrueMoney extends TrueAccount {
  method: 'MBWAY' | 'REFERENCE';
  amount: Cents;
  /** The bank's id of the payment, which a refund names; at ifthenpay the request id. */
  paymentId: string;
  requestId: string;
  /** As shown in the bank's list. */
  orderId: string;
  /** The order that the customer paid. */
  paidOrderId: string;
  entity: string;
  reference: string | null;
  paidAt: number;
  /** The same time as shown in the bank's list. */
  wallSeconds: number;
  /** The time from which the bank's list contains it. */
  shownFrom: number;
}

/** Returns an instant in the format of the bank's list: Lisbon wall-clock time, in seconds as if it were UTC. */
export function wallSeconds(instant: number): number {
  const { year, month, day, hour, minute, second } = lisbonTime(instant);
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
}

/** Identifies a row of the bank's list except for its rank: the bank's id, at ifthenpay also the second and the amount. */
export function alike(row: TrueMoney): string {
  if (row.acquirer === 'eupago') return `eupago:${row.paymentId}`;
  return row.method === 'MBWAY'
    ? `push ${row.requestId}`
    : JSON.stringify([row.requestId, row.wallSeconds, row.amount]);
}
