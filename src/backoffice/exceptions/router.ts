import { assignReceipt } from '../../payments/exceptions/assign-receipt.ts';
import { creditTransaction } from '../../payments/exceptions/credit-transaction.ts';
import type { Author } from '../../payments/exceptions/exception.ts';
import { keepReceipt } from '../../payments/exceptions/keep-receipt.ts';
import { markReturned } from '../../payments/exceptions/mark-returned.ts';
import { noteReceipt } from '../../payments/exceptions/note-receipt.ts';
import type { AtMerchant } from '../context.ts';
import { createRouter, operator, owner, viewer } from '../rpc.ts';
import {
  AcrossInput,
  AssignInput,
  CreditInput,
  KeepInput,
  ListInput,
  NoteAcrossInput,
  NoteInput,
  OfReceipt,
  PreviewInput,
  ReturnInput,
} from './contract.ts';
import { countAcross, countCases } from './count.ts';
import { listCases } from './list.ts';
import { previewAssign } from './preview.ts';
import { act } from './refusals.ts';
import { showCase, showDossier } from './show.ts';

const ACROSS: Author = { merchantId: null, operator: true };

/** Money that needs a person: the merchant's own cases, and the operator's over all (`…Across`). */
export const exceptionsRouter = createRouter({
  list: viewer.input(ListInput).query(({ ctx, input }) => listCases(ctx.deps, ctx.merchantId, input)),
  counts: viewer.query(({ ctx }) => countCases(ctx.deps, ctx.merchantId)),
  show: viewer
    .input(OfReceipt)
    .query(({ ctx, input }) => showCase(ctx.deps, ctx.merchantId, input.receiptId)),
  note: owner
    .input(NoteInput)
    .mutation(({ ctx, input }) => act(noteReceipt(ctx.deps, authorOf(ctx), { ...input, internal: false }))),
  markReturned: owner
    .input(ReturnInput)
    .mutation(({ ctx, input }) => act(markReturned(ctx.deps, authorOf(ctx), input))),
  keep: owner.input(KeepInput).mutation(({ ctx, input }) => act(keepReceipt(ctx.deps, authorOf(ctx), input))),

  listAcross: operator.input(AcrossInput).query(({ ctx, input }) => listCases(ctx.deps, null, input)),
  countsAcross: operator.query(({ ctx }) => countAcross(ctx.deps)),
  showAcross: operator.input(OfReceipt).query(({ ctx, input }) => showDossier(ctx.deps, input.receiptId)),
  noteAcross: operator
    .input(NoteAcrossInput)
    .mutation(({ ctx, input }) => act(noteReceipt(ctx.deps, ACROSS, input))),
  markReturnedAcross: operator
    .input(ReturnInput)
    .mutation(({ ctx, input }) => act(markReturned(ctx.deps, ACROSS, input))),
  keepAcross: operator
    .input(KeepInput)
    .mutation(({ ctx, input }) => act(keepReceipt(ctx.deps, ACROSS, input))),
  /** What assigning would do, before it is done. */
  preview: operator.input(PreviewInput).query(({ ctx, input }) => act(previewAssign(ctx.deps, input))),
  assign: operator.input(AssignInput).mutation(({ ctx, input }) => act(assignReceipt(ctx.deps, input))),
  credit: operator
    .input(CreditInput)
    .mutation(({ ctx, input }) => act(creditTransaction(ctx.deps, input.transactionId, input.note))),
});

function authorOf({ merchantId, user }: AtMerchant): Author {
  return { merchantId, operator: user.operator };
}
