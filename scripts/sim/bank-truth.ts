import { lisbonTime } from '../../src/kernel/lisbon.ts';
import type { Cents } from '../../src/kernel/money.ts';

/** What the bank itself knows of a push. */
export interface TruePush {
  requestId: string;
  orderId: string;
  amount: Cents;
  phone: string;
  mbWayKey: string;
  backofficeKey: string;
  /** True time. */
  createdAt: number;
  /** What the service's clock said then. */
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

/** Money that the bank received: what everything else must agree with in the end. */
export interface TrueMoney {
  method: 'MBWAY' | 'REFERENCE';
  amount: Cents;
  requestId: string;
  orderId: string;
  entity: string;
  reference: string | null;
  methodKey: string;
  backofficeKey: string;
  paidAt: number;
  /** The same as the bank's list reads it. */
  wallSeconds: number;
  /** From when the bank's list shows it. */
  shownFrom: number;
}

/** An instant as the bank's list reads it: a wall clock in Lisbon, in seconds as if they were UTC. */
export function wallSeconds(instant: number): number {
  const { year, month, day, hour, minute, second } = lisbonTime(instant);
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
}

/** What tells two rows of the bank's record apart, but for their rank: the bank's id, its second, the amount. */
export function alike(row: TrueMoney): string {
  return row.method === 'MBWAY'
    ? `push ${row.requestId}`
    : JSON.stringify([row.requestId, row.wallSeconds, row.amount]);
}
