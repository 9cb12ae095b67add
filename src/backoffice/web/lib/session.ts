import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { useLocation } from 'wouter';
import { type RouterOutputs, trpc } from './trpc.ts';

/** Another tab may have signed in another person, so a tab that is returned to asks at once. */
const FRESH = { staleTime: 60_000, refetchOnWindowFocus: 'always' } as const;

/** Returns the session; suspends until it is loaded. */
export function useSession() {
  return useSuspenseQuery(trpc.session.current.queryOptions(undefined, FRESH)).data;
}

/** Returns the session without suspending: undefined until it is loaded. `retryOnMount: false` does not retry after an error. */
export function useSessionQuery({ retryOnMount = true } = {}) {
  return useQuery(trpc.session.current.queryOptions(undefined, { ...FRESH, retryOnMount }));
}

/** Returns the address of the service for a text that leaves the browser, such as an invitation. */
export function useServiceUrl(): string {
  return useSession().publicUrl ?? window.location.origin;
}

/** A merchant and the user's role there; an operator has owner rights for every merchant. */
export type AtMerchant = RouterOutputs['session']['merchant'];

export const MerchantContext = createContext<AtMerchant | null>(null);

/** Returns the merchant of the page. Throws on other pages. */
export function useMerchant(): AtMerchant {
  const merchant = useContext(MerchantContext);
  if (merchant === null) throw new Error('this page belongs to no merchant');
  return merchant;
}

/** Returns the merchant of the page; null on the pages of the operator and of the account. */
export function usePageMerchant(): AtMerchant | null {
  const [location] = useLocation();
  const merchant = useContext(MerchantContext);
  return location.startsWith('/m/') ? merchant : null;
}

/** Returns whether the user may change what this page shows: as an owner of its merchant or as an operator. */
export function useMayChange(): boolean {
  const merchant = usePageMerchant();
  return merchant === null || merchant.role === 'owner';
}

/** Returns the merchant in the input of a call: that of the page, or null for all on the operator's pages. */
export function useScope(): string | null {
  return usePageMerchant()?.merchantId ?? null;
}

/** Returns the address of the pages beside this one: those of the merchant, or of the operator. */
export function usePageBase(): string {
  const merchant = usePageMerchant();
  return merchant === null ? '/operator' : `/m/${merchant.merchantId}`;
}

/** Returns the merchant of the navigation: that of the page or, on other pages, the last one. */
export function useMaybeMerchant(): AtMerchant | null {
  return useContext(MerchantContext);
}
