import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useScope } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';

interface Account {
  readonly iban?: string;
  readonly name?: string;
}

/** The mutations of refunds for the merchant or the operator; they ask for the password and reload what they change. */
export function useRefundActs() {
  const trpc = useTRPC();
  const client = useQueryClient();
  const merchantId = useScope();
  const then = {
    onSettled: () =>
      Promise.all([
        client.invalidateQueries(trpc.refunds.pathFilter()),
        client.invalidateQueries(trpc.exceptions.pathFilter()),
        client.invalidateQueries(trpc.transaction.pathFilter()),
      ]),
  };
  const create = useMutation(trpc.refunds.create.mutationOptions(then));
  const set = useMutation(trpc.refunds.set.mutationOptions(then));
  const retry = useMutation(trpc.refunds.retry.mutationOptions(then));
  const settle = useMutation(trpc.refunds.settle.mutationOptions(then));
  const recordReported = useMutation(trpc.refunds.recordReported.mutationOptions(then));
  const dismissReported = useMutation(trpc.refunds.dismissReported.mutationOptions(then));
  const exportTransfers = useMutation(trpc.refunds.exportTransfers.mutationOptions(then));
  return {
    create: (
      order: { receiptId: string; amountCents: number; leftCents: number; reason: string } & Account,
    ) => create.mutateAsync({ merchantId, ...order }),
    set: (order: { refundId: string; iban: string; name?: string }) =>
      set.mutateAsync({ merchantId, ...order }),
    retry: (refundId: string) => retry.mutateAsync({ merchantId, refundId }),
    settle: (order: { refundId: string; outcome: 'done' | 'failed'; note: string }) =>
      settle.mutateAsync(order),
    settleReported: (act: 'record' | 'dismiss', order: { reportId: string; note: string }) =>
      act === 'record' ? recordReported.mutateAsync(order) : dismissReported.mutateAsync(order),
    exportTransfers: (again: boolean) => exportTransfers.mutateAsync({ again }),
  };
}
