import { z } from 'zod';
import { ORDER_FLAGS, RECEIPT_FLAGS } from '../../kernel/payment-enums.ts';
import { assignReceipt } from '../../payments/exceptions/assign-receipt.ts';
import { creditTransaction } from '../../payments/exceptions/credit-transaction.ts';
import type { Author } from '../../payments/exceptions/exception.ts';
import { noteReceipt } from '../../payments/exceptions/note-receipt.ts';
import { keepReceipt, markReturned } from '../../payments/exceptions/settle-receipt.ts';
import type { Scoped } from '../context.ts';
import { createRouter, freshOperator, idOf, operator, page, scopedOwner, scopedViewer } from '../rpc.ts';
import { previewAssign } from './candidates.ts';
import { countCases, countKinds, listCases, scopeOf, sumOfCases } from './list.ts';
import { showCase, showDossier } from './show.ts';

/** Above the limit of a note, so that a longer one gets the error message of the rule. */
const note = z.string().max(10_000);
const receiptId = idOf('rcp');
const transactionId = idOf('tx');

const ofReceipt = z.strictObject({ receiptId });
const filter = z.strictObject({
  /** Open cases are listed oldest first, settled ones latest settled first. */
  state: z.enum(['open', 'settled']).default('open'),
  flag: z.enum(RECEIPT_FLAGS).optional(),
  ofMerchant: idOf('mer').optional(),
});
const noteInput = z.strictObject({ receiptId, text: note, internal: z.boolean().default(false) });
const returnInput = z.strictObject({ receiptId, amountCents: z.int().min(0), note });
const keepInput = z.strictObject({ receiptId, note });
const assignInput = z.strictObject({
  receiptId,
  transactionId,
  note,
  /** The effect that the preview showed. */
  shown: z.strictObject({
    settlement: z.enum(['paid', 'held', 'none']),
    flags: z.record(z.enum(ORDER_FLAGS), z.boolean()),
  }),
});
const creditInput = z.strictObject({ transactionId, receivedCents: z.int().min(0), note });

/** Money that needs attention: the merchant's own cases or, for operators, those of all merchants. */
export const exceptionsRouter = createRouter({
  list: scopedViewer
    .input(filter.extend(page))
    .query(({ ctx, input: { ofMerchant, ...rest } }) => listCases(ctx.deps, scopeOf(ctx, ofMerchant), rest)),
  sum: scopedViewer
    .input(filter)
    .query(({ ctx, input: { ofMerchant, ...rest } }) => sumOfCases(ctx.deps, scopeOf(ctx, ofMerchant), rest)),
  counts: scopedViewer.query(({ ctx }) => countCases(ctx.deps, scopeOf(ctx))),
  kinds: scopedViewer.query(({ ctx }) => countKinds(ctx.deps, scopeOf(ctx))),
  show: scopedViewer
    .input(ofReceipt)
    .query(async ({ ctx, input: { receiptId: id } }) =>
      ctx.merchantId === null ? await showDossier(ctx.deps, id) : await showCase(ctx.deps, scopeOf(ctx), id),
    ),
  /** Merchants neither write nor see internal notes. */
  note: scopedOwner
    .input(noteInput)
    .mutation(({ ctx, input }) => noteReceipt(ctx.deps, authorOf(ctx), input)),
  markReturned: scopedOwner
    .input(returnInput)
    .mutation(({ ctx, input }) => markReturned(ctx.deps, authorOf(ctx), input)),
  keep: scopedOwner
    .input(keepInput)
    .mutation(({ ctx, input }) => keepReceipt(ctx.deps, authorOf(ctx), input)),
  /** The effect of assigning the receipt. */
  preview: operator
    .input(z.strictObject({ receiptId, transactionId }))
    .query(({ ctx, input }) => previewAssign(ctx.deps, input)),
  assign: freshOperator.input(assignInput).mutation(({ ctx, input }) => assignReceipt(ctx.deps, input)),
  credit: freshOperator
    .input(creditInput)
    .mutation(({ ctx, input }) =>
      creditTransaction(ctx.deps, input.transactionId, input.note, input.receivedCents),
    ),
});

function authorOf({ merchantId, user }: Scoped): Author {
  return { merchantId, operator: user.operator };
}
