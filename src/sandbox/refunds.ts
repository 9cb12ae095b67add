import { z } from 'zod';
import { lisbonText } from '../kernel/lisbon.ts';
import type { Cents } from '../kernel/money.ts';
import { REFUND_FAULTS, type SandboxContext } from './context.ts';
import type { Payment } from './schema.ts';
import { announce } from './settle.ts';
import { amount, backofficeKey, parse, requestId } from './wire-fields.ts';

/** The paths of the refund call in the bank's documentation. */
export const REFUND_PATHS = [
  '/v2/payments/refund',
  '/endpoint/payments/refund',
  '/api/endpoint/payments/refund',
] as const;

const SECOND_MS = 1000;

const refundBody = z.object({ backofficekey: backofficeKey('backofficekey'), requestId, amount });

/** The answer to a refund; `unanswered` when none is sent, `failed` for an HTTP error. */
export type RefundAnswer = { Code: number | string; Message: string } | 'unanswered' | 'failed';

/** Refunds an MB WAY payment, in full or in part, and announces it with a `DEVOLVIDO` callback. */
export function refund(context: SandboxContext, input: unknown): RefundAnswer {
  const fault = context.store.takeFault(REFUND_FAULTS);
  if (fault === 'error500-refund') return 'failed';
  if (fault === 'insufficient-refund') return answer(context, -1, 'Insufficient funds');
  if (fault === 'refuse-refund') return answer(context, 0, 'The refund was refused');
  const parsed = parse(refundBody, input);
  if (!parsed.ok) return answer(context, 0, parsed.message);
  const { backofficekey, requestId, amount } = parsed.value;
  const [payment] = context.store.listPayments(backofficekey, { requestId }, 1);
  if (payment === undefined) return answer(context, 0, 'No payment has this requestId');
  if (payment.entity !== 'MBWAY') return answer(context, 0, 'Multibanco payments cannot be refunded');
  const isMade = giveBack(context, payment, amount);
  if (isMade === null) return answer(context, 0, 'The amount exceeds the rest of the payment');
  return fault === 'hang-refund' ? 'unanswered' : answer(context, 1, 'Success');
}

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

/** The real bank sends the code as a number or as text. */
function answer(context: SandboxContext, code: number, message: string): RefundAnswer {
  const [dice = 0] = context.random(1);
  return { Code: dice & 1 ? code : String(code), Message: message };
}
