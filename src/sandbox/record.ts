import { lisbonText } from '../kernel/lisbon.ts';
import { type Cents, cents, decimalFromCents, eurosFromCents } from '../kernel/money.ts';
import type { Payment } from './store.ts';

/** What the bank keeps of a payment (the simulator's tariff): never zero, so that nobody mistakes net for gross. */
export function feeOf(payment: Payment): Cents {
  return cents(Math.min(payment.amount, 5 + Math.round(payment.amount * 0.007)));
}

export function terminalOf(payment: Payment): string {
  return payment.entity === 'MBWAY' ? 'MBWAY' : '5-0000000000-SANDBOX ATM';
}

/** One row of the bank's list. `dice` picks among the spellings seen in the wild: amounts as text, entities as numbers. */
export function recordRow(payment: Payment, dice: number): Record<string, unknown> {
  const fee = feeOf(payment);
  const net = cents(payment.amount - fee);
  const spelt = (amount: Cents) => (dice & 1 ? decimalFromCents(amount) : eurosFromCents(amount));
  return {
    amount: spelt(payment.amount),
    entity: numericEntity(payment.entity, dice),
    fee: spelt(fee),
    netAmount: spelt(net),
    orderId: payment.orderId,
    paymentDate: lisbonText(payment.paidAt),
    procDate: payment.paidLocal.slice(0, 10).replaceAll('-', ''),
    reference: payment.reference,
    requestId: payment.requestId,
    subEntity: payment.subEntity,
    terminal: terminalOf(payment),
  };
}

/** Five digits arrive as text or as a number; `MBWAY` is always text. */
export function numericEntity(entity: string, dice: number): string | number {
  return dice & 2 && /^\d+$/.test(entity) ? Number(entity) : entity;
}
