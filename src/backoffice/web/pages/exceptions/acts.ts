import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useScope } from '../../lib/session.ts';
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
  const merchantId = useScope();
  const then = { onSettled: () => client.invalidateQueries(trpc.exceptions.pathFilter()) };
  const add = useMutation(trpc.exceptions.note.mutationOptions(then));
  const returned = useMutation(trpc.exceptions.markReturned.mutationOptions(then));
  const keep = useMutation(trpc.exceptions.keep.mutationOptions(then));
  const assign = useMutation(trpc.exceptions.assign.mutationOptions(then));
  const credit = useMutation(trpc.exceptions.credit.mutationOptions(then));
  return {
    note: (text, internal) => add.mutateAsync({ merchantId, receiptId, text, internal }),
    markReturned: (amountCents, note) => returned.mutateAsync({ merchantId, receiptId, amountCents, note }),
    keep: (note) => keep.mutateAsync({ merchantId, receiptId, note }),
    assign: (transactionId, note) => assign.mutateAsync({ receiptId, transactionId, note }),
    credit: (transactionId, note) => credit.mutateAsync({ transactionId, note }),
  };
}
