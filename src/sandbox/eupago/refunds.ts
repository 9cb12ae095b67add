import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { centsFromDecimal } from '../../kernel/money.ts';
import { REFUND_FAULTS, type SandboxContext } from '../context.ts';
import { giveBack } from '../refunds.ts';
import { leaveHanging, serverError } from '../wire.ts';

const body = z.object({
  amount: z.union([z.number(), z.string()]).transform(centsFromDecimal),
  reason: z.string().max(500).nullish(),
  iban: z.string().nullish(),
  bic: z.string().nullish(),
});

/** Refunds a payment, in full or in part. A Multibanco payment needs a bank account, and its refund takes longer. */
export function refund(
  context: SandboxContext,
  clientId: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const fault = context.store.takeFault(REFUND_FAULTS);
  if (fault === 'error500-refund') return serverError(reply);
  if (fault === 'insufficient-refund') return rejected(reply, 'INSUFFICIENT_FUNDS');
  if (fault === 'refuse-refund') return rejected(reply, 'BAD_REQUEST');
  const { trid } = request.params as { trid: string };
  const payment = context.store.eupago.paymentOf(clientId, trid);
  if (payment === undefined) return rejected(reply, 'TRANSACTION_NOT_FOUND');
  const parsed = body.safeParse(request.body ?? {});
  const amount = parsed.success ? parsed.data.amount : null;
  if (!parsed.success || amount === null || amount === 0) return rejected(reply, 'AMOUNT_INVALID');
  const isPush = payment.entity === 'MBWAY';
  if (!isPush && !parsed.data.iban) return rejected(reply, 'IBAN_INVALID');
  if (!isPush && !parsed.data.bic) return rejected(reply, 'BIC_INVALID');
  const refundId = giveBack(context, payment, amount);
  if (refundId === null) return rejected(reply, 'AMOUNT_INVALID');
  if (fault === 'hang-refund') return leaveHanging(reply);
  const status = isPush ? 'Reembolsado' : 'Pendente';
  return reply.send({ transactionStatus: 'Success', refundId: String(refundId), status });
}

/** The state of a refund, which is complete at the first inquiry. */
export function refundState(context: SandboxContext, clientId: string, refundId: string): object {
  const payment = context.store.eupago.refundedPayment(clientId, refundId);
  if (payment === undefined) return { transactionStatus: 'Rejected', code: 'REFUND_NOT_FOUND' };
  const refundList = [{ identifier: payment.order_id, reference: payment.reference, status: 'Reembolsado' }];
  return { transactionStatus: 'Success', refundList };
}

function rejected(reply: FastifyReply, code: string): FastifyReply {
  return reply.code(400).send({ transactionStatus: 'Rejected', code, text: 'The refund was refused' });
}
