import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client';
import type { AppRouter } from 'payment-collection-client/router';

const trpc = createTRPCClient<AppRouter>({
  links: [httpLink({ url: 'https://pay.example/trpc', headers: { authorization: 'Bearer key' } })],
});

export async function pay(phoneNumber: string): Promise<string> {
  const { transactionId } = await trpc.payments.init.mutate({
    orderId: 'ORDER-1',
    amount: 1,
    storeUrl: 'https://shop.pt',
  });
  const { success } = await trpc.payments.mbway.mutate({ transactionId, phoneNumber });
  const { status } = await trpc.payments.status.query({ transactionId });
  // @ts-expect-error: there is no such call
  trpc.payments.refund;
  return success && status === 'paid' ? transactionId : '';
}

export function codeOf(error: unknown): 'RATE_LIMITED' | 'another' {
  const failure = error instanceof TRPCClientError ? (error as TRPCClientError<AppRouter>) : null;
  return failure?.data?.code === 'RATE_LIMITED' ? failure.data.code : 'another';
}
