import { lisbonTime } from '../../src/kernel/lisbon.ts';
import type { Cents } from '../../src/kernel/money.ts';

/** A push in the bank's own state. */
export interface TruePush {
  requestId: string;
  orderId: string;
  amount: Cents;
  phone: string;
  mbWayKey: string;
  backofficeKey: string;
  /** Simulated time. */
  createdAt: number;
  /** The service's clock at that moment. */
  createdByService: number;
  state: 'waiting' | 'paid' | 'rejected' | 'declined';
  answeredAt: number | null;
}

export interface TrueReference {
  requestId: string;
  orderId: string;
  amount: Cents;
  entity: string;
  reference: string;
  mbKey: string;
  backofficeKey: string;
  expiresAt: number;
}

/** Money that the bank received; at the end the service must have recorded all of it. */
export interface TrueMoney {
  method: 'MBWAY' | 'REFERENCE';
  amount: Cents;
  requestId: string;
  /** As shown in the bank's list. */
  orderId: string;
  /** The order that the customer paid. */
  paidOrderId: string;
  entity: string;
  reference: string | null;
  methodKey: string;
  backofficeKey: string;
  paidAt: number;
  /** The same time as shown in the bank's list. */
  wallSeconds: number;
  /** From when the bank's list shows it. */
  shownFrom: number;
}

/** An instant as the bank's list reads it: a wall clock in Lisbon, in seconds as if they were UTC. */
export function wallSeconds(instant: number): number {
  const { year, month, day, hour, minute, second } = lisbonTime(instant);
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
}

/** Identifies a row of the bank's list except for its rank: the bank's id, the second and the amount. */
export function alike(row: TrueMoney): string {
  return row.method === 'MBWAY'
    ? `push ${row.requestId}`
    : JSON.stringify([row.requestId, row.wallSeconds, row.amount]);
}
