import { z } from 'zod';
import { REFUND_STATES } from '../../db/tables/refunds.ts';
import { Refusal } from '../../kernel/errors.ts';
import { cents } from '../../kernel/money.ts';
import { TRANSACTION_STATUSES } from '../../kernel/payment-enums.ts';
import type { Author } from '../../payments/exceptions/exception.ts';
import { createRefund } from '../../payments/refunds/create-refund.ts';
import { dismissReported, recordReported } from '../../payments/refunds/reported.ts';
import { retryRefund } from '../../payments/refunds/retry-refund.ts';
import { setRefund } from '../../payments/refunds/set-refund.ts';
import { settleRefund } from '../../payments/refunds/settle-refund.ts';
import type { Scoped } from '../context.ts';
import { refused } from '../errors.ts';
import { createRouter, freshOperator, freshScopedOwner, idOf, operator, page, scopedViewer } from '../rpc.ts';
import { downloadTransfers } from './download.ts';
import { listRefunds, sumOfRefunds } from './list.ts';
import { listReported } from './reported.ts';
import { type RefundReader, refundsOfReceipt } from './show.ts';

/** Above every limit of a text, so that a longer one gets the error message of its rule. */
const text = z.string().max(10_000);
const refundId = idOf('ref');

/** As the person saw it in `ofReceipt`, so that money that was assigned or credited since is not refunded too. */
const seenCase = {
  closesCase: z.boolean().optional(),
  transactionStatus: z.enum(TRANSACTION_STATUSES).nullable().optional(),
};

const ofReceipt = z.strictObject({ receiptId: idOf('rcp') });
const ofRefund = z.strictObject({ refundId });
const filter = z.strictObject({
  state: z.enum(REFUND_STATES).optional(),
  /** Only refunds that wait for a person, oldest first; otherwise all, newest first. */
  queue: z.boolean().optional(),
  ofMerchant: idOf('mer').optional(),
});
const createInput = ofReceipt.extend({
  amountCents: z.int().min(1).transform(cents),
  /** The remaining amount that the person saw, so that a request repeated by mistake refunds nothing twice. */
  leftCents: z.int().min(0).transform(cents).optional(),
  ...seenCase,
  reason: text.optional(),
  iban: text.optional(),
  name: text.optional(),
});
const setInput = ofRefund.extend({ iban: text, name: text.optional() });
const settleInput = ofRefund.extend({
  outcome: z.enum(['done', 'failed']),
  note: text,
  /** As the person saw it, so that a transfer in a file is not made by hand or retried too. */
  exportedAt: z.int().nullable().optional(),
});

const reportInput = z.strictObject({ reportId: idOf('rep'), note: text });

/** Refunds of the merchant's receipts or, for operators, those of all merchants. */
export const refundsRouter = createRouter({
  list: scopedViewer
    .input(filter.extend(page))
    .query(({ ctx, input }) => listRefunds(ctx.deps, ctx.merchantId, input)),
  sum: scopedViewer.input(filter).query(({ ctx, input }) => sumOfRefunds(ctx.deps, ctx.merchantId, input)),
  ofReceipt: scopedViewer
    .input(ofReceipt)
    .query(({ ctx, input }) => refundsOfReceipt(ctx.deps, readerOf(ctx), input.receiptId)),
  create: freshScopedOwner
    .input(createInput)
    .mutation(({ ctx, input }) => unlessHeld(ctx, createRefund(ctx.deps, readerOf(ctx), orderOf(input)))),
  set: freshScopedOwner
    .input(setInput)
    .mutation(({ ctx, input }) => setRefund(ctx.deps, readerOf(ctx), input)),
  retry: freshScopedOwner
    .input(ofRefund.extend(seenCase))
    .mutation(({ ctx, input }) =>
      unlessHeld(ctx, retryRefund(ctx.deps, readerOf(ctx), input.refundId, input)),
    ),
  settle: freshOperator.input(settleInput).mutation(({ ctx, input }) => settleRefund(ctx.deps, input)),
  reported: operator.query(({ ctx }) => listReported(ctx.deps)),
  recordReported: freshOperator
    .input(reportInput)
    .mutation(({ ctx, input }) => recordReported(ctx.deps, input)),
  dismissReported: freshOperator
    .input(reportInput)
    .mutation(({ ctx, input }) => dismissReported(ctx.deps, input)),
  /** The credit transfer file of the refunds that await their transfer, which are marked as exported. */
  exportTransfers: freshOperator
    .input(z.strictObject({ again: z.boolean() }))
    .mutation(({ ctx, input }) => downloadTransfers(ctx.deps, input.again)),
});

function readerOf({ merchantId, role, user }: Scoped): Author & RefundReader {
  return { merchantId, role, operator: user.operator };
}

function orderOf({ receiptId, amountCents, leftCents, ...rest }: z.output<typeof createInput>) {
  return { of: { receiptId }, amount: amountCents, left: leftCents, ...rest };
}

/** Merchants must not see that a sale is on hold. */
async function unlessHeld<T>({ user }: Scoped, refund: Promise<T>): Promise<T> {
  try {
    return await refund;
  } catch (error) {
    if (user.operator || !(error instanceof Refusal) || error.reason !== 'refund_held') throw error;
    throw refused('refund_unavailable', 'This payment cannot be refunded now.');
  }
}
