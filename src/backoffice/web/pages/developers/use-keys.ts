import { useQuery } from '@tanstack/react-query';
import { useMerchant } from '../../lib/session.ts';
import { type RouterOutputs, trpc } from '../../lib/trpc.ts';

export type Key = RouterOutputs['keys']['list']['keys'][number];

/** Keeps the last use up to date. */
const FRESH_MS = 10_000;

export function useKeys() {
  const { merchantId } = useMerchant();
  return useQuery(trpc.keys.list.queryOptions({ merchantId }, { refetchInterval: FRESH_MS }));
}
