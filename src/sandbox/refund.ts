import { z } from 'zod';
import type { SandboxContext } from './context.ts';
import { listPayments, refundPayment } from './store.ts';
import { amount, backofficeKey, parse } from './wire-fields.ts';

const body = z.object({
  backofficekey: backofficeKey('backofficekey'),
  requestId: z.string('requestId is missing').min(1, 'requestId is missing'),
  amount,
});

/** The answer to POST /v2/payments/refund: MB WAY only, in full or in part. */
export function refund(context: SandboxContext, input: unknown): { Code: number; Message: string } {
  const parsed = parse(body, input);
  if (!parsed.ok) return { Code: 0, Message: parsed.message };
  const { backofficekey, requestId, amount: wanted } = parsed.value;
  const [payment] = listPayments(context.db, backofficekey, { requestId }, 1);
  if (payment === undefined) return { Code: 0, Message: 'No payment has this requestId' };
  if (payment.entity !== 'MBWAY') return { Code: 0, Message: 'Multibanco payments cannot be refunded' };
  if (!refundPayment(context.db, payment.id, wanted)) {
    return { Code: 0, Message: 'The amount is more than what is left of the payment' };
  }
  context.log(`push ${requestId}: refunded`);
  return { Code: 1, Message: 'Success' };
}
