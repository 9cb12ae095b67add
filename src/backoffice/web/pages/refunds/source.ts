import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useScope } from '../../lib/session.ts';
import { queryClient, trpc } from '../../lib/trpc.ts';
import { PAGED } from '../../ui/more-rows.tsx';
import { useChange } from '../../ui/use-change.ts';
import type { Filters, ReceiptRefunds } from './types.ts';

const FRESH_EVERY_MS = 15_000;
/** The polling interval while the bank is being called. */
const SENDING_MS = 1_500;

/** The refunds that the filters show: one merchant's, or all for the operator. */
export function useRefunds(filters: Filters) {
  const options = { ...PAGED, refetchInterval: FRESH_EVERY_MS };
  return useInfiniteQuery(trpc.refunds.list.infiniteQueryOptions(useAsked(filters), options));
}

export function useSum(filters: Filters) {
  const options = { refetchInterval: FRESH_EVERY_MS };
  return useQuery(trpc.refunds.sum.queryOptions(useAsked(filters), options));
}

/** The filters as the server expects them. */
function useAsked({ state, show, merchant }: Filters) {
  const merchantId = useScope();
  return {
    merchantId,
    state: state ?? undefined,
    ...(merchantId === null && { queue: show === 'queue' || undefined, ofMerchant: merchant?.value }),
  };
}

/** The refunds of a receipt; disabled while `receiptId` is null. Polls while the bank is being called. */
export function useReceiptRefunds(receiptId: string | null) {
  const input = { merchantId: useScope(), receiptId: receiptId ?? '' };
  const query = useQuery(
    trpc.refunds.ofReceipt.queryOptions(input, {
      enabled: receiptId !== null,
      refetchInterval: ({ state }) => pace(state.data),
    }),
  );
  useChanges(query.data);
  return query;
}

function pace(data: ReceiptRefunds | undefined): number | false {
  const states = (data?.refunds ?? []).map(({ state }) => state);
  if (states.some((state) => state === 'requested' || state === 'sent')) return SENDING_MS;
  return states.some((state) => state === 'accepted' || state === 'unknown') ? FRESH_EVERY_MS : false;
}

/** Reloads the case and the transaction of a receipt when one of its refunds changes state. */
function useChanges(data: ReceiptRefunds | undefined): void {
  const seen = useRef<string | null>(null);
  const now = data === undefined ? null : data.refunds.map(({ refundId, state }) => refundId + state).join();
  useEffect(() => {
    if (now === null || now === seen.current) return;
    const isFirst = seen.current === null;
    seen.current = now;
    if (isFirst) return;
    void queryClient.invalidateQueries(trpc.exceptions.pathFilter());
    void queryClient.invalidateQueries(trpc.transaction.pathFilter());
  }, [now]);
}

/** What shows a receipt: its case, its refunds and its transaction. */
const ALSO = ['exceptions', 'refunds', 'transaction'] as const;

/** A change of a case or a refund; reloads what shows its receipt. */
export const useReceiptChange: typeof useChange = (procedure, options) =>
  useChange(procedure, { also: ALSO, ...options });
