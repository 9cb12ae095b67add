import { z } from 'zod';
import { assignReceipt } from '../../payments/exceptions/assign-receipt.ts';
import { creditTransaction } from '../../payments/exceptions/credit-transaction.ts';
import type { Author } from '../../payments/exceptions/exception.ts';
import { keepReceipt } from '../../payments/exceptions/keep-receipt.ts';
import { markReturned } from '../../payments/exceptions/mark-returned.ts';
import { noteReceipt } from '../../payments/exceptions/note-receipt.ts';
import { RECEIPT_FLAGS } from '../../payments/store.ts';
import type { AtMerchant } from '../context.ts';
import { createRouter, freshOperator, idOf, operator, owner, page, viewer } from '../rpc.ts';
import { previewAssign } from './candidates.ts';
import { countCases, countKinds, listCases, sumOfCases } from './list.ts';
import { showCase, showDossier } from './show.ts';

const AGE_DAYS_MAX = 10_000;
/** Above the limit of a note, so that a longer one gets the error message of the rule. */
const note = z.string().max(10_000);
const receiptId = idOf('rcp');
const transactionId = idOf('tx');

const ofReceipt = z.strictObject({ receiptId });
const ownFilter = z.strictObject({
  /** Open cases are listed oldest first, settled ones latest settled first. */
  state: z.enum(['open', 'settled']).default('open'),
  flag: z.enum(RECEIPT_FLAGS).optional(),
});
const acrossFilter = ownFilter.extend({
  ofMerchant: idOf('mer').optional(),
  olderThanDays: z.int().min(1).max(AGE_DAYS_MAX).optional(),
});
const noteInput = z.strictObject({ receiptId, text: note });
const returnInput = z.strictObject({ receiptId, amountCents: z.int().min(0), note });
const keepInput = z.strictObject({ receiptId, note });

const OPERATOR: Author = { merchantId: null, operator: true };

/** Money that needs attention: the merchant's own cases, and those of all merchants for operators (`…Across`). */
export const exceptionsRouter = createRouter({
  list: viewer
    .input(ownFilter.extend(page))
    .query(({ ctx, input }) => listCases(ctx.deps, ctx.merchantId, input)),
  sum: viewer.input(ownFilter).query(({ ctx, input }) => sumOfCases(ctx.deps, ctx.merchantId, input)),
  counts: viewer.query(({ ctx }) => countCases(ctx.deps, ctx.merchantId)),
  /** The open cases by kind, with sums. */
  kinds: viewer.query(({ ctx }) => countKinds(ctx.deps, ctx.merchantId)),
  show: viewer
    .input(ofReceipt)
    .query(({ ctx, input }) => showCase(ctx.deps, ctx.merchantId, input.receiptId)),
  note: owner
    .input(noteInput)
    .mutation(({ ctx, input }) => noteReceipt(ctx.deps, authorOf(ctx), { ...input, internal: false })),
  markReturned: owner
    .input(returnInput)
    .mutation(({ ctx, input }) => markReturned(ctx.deps, authorOf(ctx), input)),
  keep: owner.input(keepInput).mutation(({ ctx, input }) => keepReceipt(ctx.deps, authorOf(ctx), input)),

  listAcross: operator
    .input(acrossFilter.extend(page))
    .query(({ ctx, input }) => listCases(ctx.deps, null, input)),
  sumAcross: operator.input(acrossFilter).query(({ ctx, input }) => sumOfCases(ctx.deps, null, input)),
  countsAcross: operator.query(({ ctx }) => countCases(ctx.deps, null)),
  kindsAcross: operator.query(({ ctx }) => countKinds(ctx.deps, null)),
  showAcross: operator.input(ofReceipt).query(({ ctx, input }) => showDossier(ctx.deps, input.receiptId)),
  /** Merchants do not see internal notes. */
  noteAcross: operator
    .input(noteInput.extend({ internal: z.boolean() }))
    .mutation(({ ctx, input }) => noteReceipt(ctx.deps, OPERATOR, input)),
  markReturnedAcross: operator
    .input(returnInput)
    .mutation(({ ctx, input }) => markReturned(ctx.deps, OPERATOR, input)),
  keepAcross: operator.input(keepInput).mutation(({ ctx, input }) => keepReceipt(ctx.deps, OPERATOR, input)),
  /** The effect of assigning the receipt. */
  preview: operator
    .input(z.strictObject({ receiptId, transactionId }))
    .query(({ ctx, input }) => previewAssign(ctx.deps, input)),
  assign: freshOperator
    .input(z.strictObject({ receiptId, transactionId, note }))
    .mutation(({ ctx, input }) => assignReceipt(ctx.deps, input)),
  credit: freshOperator
    .input(z.strictObject({ transactionId, note }))
    .mutation(({ ctx, input }) => creditTransaction(ctx.deps, input.transactionId, input.note)),
});

function authorOf({ merchantId, user }: AtMerchant): Author {
  return { merchantId, operator: user.operator };
}
