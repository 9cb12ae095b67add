import { useMutation, useQueryClient } from '@tanstack/react-query';
import { usePageMerchant } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';

export interface Acts {
  note(text: string, internal: boolean): Promise<unknown>;
  markReturned(amountCents: number, note: string): Promise<unknown>;
  keep(note: string): Promise<unknown>;
  assign(transactionId: string, note: string): Promise<unknown>;
  credit(transactionId: string, note: string): Promise<unknown>;
}

/** The mutations of a case for the merchant or the operator; they invalidate all lists. */
export function useActs(receiptId: string): Acts {
  const trpc = useTRPC();
  const client = useQueryClient();
  const merchant = usePageMerchant();
  const then = { onSettled: () => client.invalidateQueries(trpc.exceptions.pathFilter()) };
  const note = useMutation(trpc.exceptions.note.mutationOptions(then));
  const noteAcross = useMutation(trpc.exceptions.noteAcross.mutationOptions(then));
  const returned = useMutation(trpc.exceptions.markReturned.mutationOptions(then));
  const returnedAcross = useMutation(trpc.exceptions.markReturnedAcross.mutationOptions(then));
  const keep = useMutation(trpc.exceptions.keep.mutationOptions(then));
  const keepAcross = useMutation(trpc.exceptions.keepAcross.mutationOptions(then));
  const assign = useMutation(trpc.exceptions.assign.mutationOptions(then));
  const credit = useMutation(trpc.exceptions.credit.mutationOptions(then));
  const merchantId = merchant?.merchantId ?? null;
  return {
    note: (text, internal) =>
      merchantId === null
        ? noteAcross.mutateAsync({ receiptId, text, internal })
        : note.mutateAsync({ merchantId, receiptId, text }),
    markReturned: (amountCents, text) =>
      merchantId === null
        ? returnedAcross.mutateAsync({ receiptId, amountCents, note: text })
        : returned.mutateAsync({ merchantId, receiptId, amountCents, note: text }),
    keep: (text) =>
      merchantId === null
        ? keepAcross.mutateAsync({ receiptId, note: text })
        : keep.mutateAsync({ merchantId, receiptId, note: text }),
    assign: (transactionId, text) => assign.mutateAsync({ receiptId, transactionId, note: text }),
    credit: (transactionId, text) => credit.mutateAsync({ transactionId, note: text }),
  };
}
