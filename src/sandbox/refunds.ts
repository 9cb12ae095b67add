import { lisbonText } from '../kernel/lisbon.ts';
import type { Cents } from '../kernel/money.ts';
import type { SandboxContext } from './context.ts';
import type { Payment } from './schema.ts';
import { announce } from './settle.ts';

const SECOND_MS = 1000;

/** Refunds a part of a payment and announces the refund. Returns its id; null when it exceeds the rest of the payment. */
export function giveBack(context: SandboxContext, payment: Payment, amount: Cents): number | null {
  const refundId = context.store.atomically(() => addRefund(context, payment, amount));
  if (refundId === null) return null;
  context.log(`payment ${payment.request_id}: refunded`);
  context.wakeCallbacks();
  return refundId;
}

function addRefund(context: SandboxContext, payment: Payment, amount: Cents): number | null {
  const { store, clock } = context;
  if (!store.refundPayment(payment.id, amount)) return null;
  // Distinct seconds, so that the notifications of equal refunds differ.
  const refundedAt = Math.max(clock.now(), (store.lastRefundAt(payment.id) ?? 0) + SECOND_MS);
  const made = {
    payment_id: payment.id,
    amount_cents: amount,
    refunded_at: refundedAt,
    refunded_text: lisbonText(refundedAt),
  };
  const refund = { ...made, id: store.insertRefund(made) };
  announce(context, payment, refund, 1);
  return refund.id;
}
