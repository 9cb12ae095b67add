import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { useTRPC } from './trpc.ts';

const FRESH_MS = 60_000;

/** Who is signed in and where they may go; waits, as a suspense, until it is known. */
export function useSession() {
  const trpc = useTRPC();
  return useSuspenseQuery(trpc.session.current.queryOptions(undefined, { staleTime: FRESH_MS })).data;
}

/** The same without waiting: undefined until it is known. `retryOnMount: false` leaves asking anew after a fault to others. */
export function useSessionQuery({ retryOnMount = true } = {}) {
  const trpc = useTRPC();
  return useQuery(trpc.session.current.queryOptions(undefined, { staleTime: FRESH_MS, retryOnMount }));
}

export interface AtMerchant {
  readonly merchantId: string;
  readonly name: string;
  /** An operator is an owner everywhere. */
  readonly role: 'owner' | 'viewer';
  readonly operator: boolean;
}

export const MerchantContext = createContext<AtMerchant | null>(null);

/** The merchant whose pages these are. Throws outside of them. */
export function useMerchant(): AtMerchant {
  const merchant = useContext(MerchantContext);
  if (merchant === null) throw new Error('this page belongs to no merchant');
  return merchant;
}

/** The same, null on the operator's pages. */
export function useMaybeMerchant(): AtMerchant | null {
  return useContext(MerchantContext);
}
