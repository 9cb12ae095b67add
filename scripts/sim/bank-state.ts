import type { Acquirer } from '../../src/kernel/acquirer.ts';
import type { Cents } from '../../src/kernel/money.ts';
import { sortable } from '../../src/sandbox/record.ts';

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
  /** The same time as shown in ifthenpay's list. */
  paymentDate: string;
  /** The time from which the bank's list contains it. */
  shownFrom: number;
}

/** Returns a time of ifthenpay's list, which is Lisbon wall-clock time, in milliseconds as if it were UTC. */
export function wallTime(bankText: string): number {
  return Date.parse(`${sortable(bankText)}Z`);
}

/** The identity of a row of the bank's list except for its rank: the bank's id, at ifthenpay also the second and the amount. */
export function alike({ acquirer, method, paymentId, paymentDate, amount }: TrueMoney): string {
  const isRanked = acquirer === 'ifthenpay' && method === 'REFERENCE';
  return `${acquirer}:${isRanked ? JSON.stringify([paymentId, paymentDate, amount]) : paymentId}`;
}
