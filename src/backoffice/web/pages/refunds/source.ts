import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { usePageMerchant } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import type { Filters, ReceiptRefunds } from './types.ts';

const FRESH_EVERY_MS = 15_000;
/** The polling interval while the bank is being called. */
const SENDING_MS = 1_500;
const nextCursor = (page: { nextCursor: string | null }) => page.nextCursor;

/** The refunds that the filters show: one merchant's, or all for the operator. */
export function useRefunds(filters: Filters) {
  const trpc = useTRPC();
  const merchant = usePageMerchant();
  const options = {
    getNextPageParam: nextCursor,
    refetchInterval: FRESH_EVERY_MS,
    placeholderData: keepPreviousData,
  };
  const own = useInfiniteQuery(
    trpc.refunds.list.infiniteQueryOptions(
      { merchantId: merchant?.merchantId ?? '', ...ownFilterOf(filters) },
      { ...options, enabled: merchant !== null },
    ),
  );
  const across = useInfiniteQuery(
    trpc.refunds.listAcross.infiniteQueryOptions(acrossFilterOf(filters), {
      ...options,
      enabled: merchant === null,
    }),
  );
  return merchant === null ? across : own;
}

/** The count and the sum of what the filters show. */
export function useSum(filters: Filters) {
  const trpc = useTRPC();
  const merchant = usePageMerchant();
  const options = { refetchInterval: FRESH_EVERY_MS, placeholderData: keepPreviousData };
  const own = useQuery(
    trpc.refunds.sum.queryOptions(
      { merchantId: merchant?.merchantId ?? '', ...ownFilterOf(filters) },
      { ...options, enabled: merchant !== null },
    ),
  );
  const across = useQuery(
    trpc.refunds.sumAcross.queryOptions(acrossFilterOf(filters), { ...options, enabled: merchant === null }),
  );
  return (merchant === null ? across : own).data;
}

function ownFilterOf({ state }: Filters) {
  return state === null ? {} : { state };
}

function acrossFilterOf(filters: Filters) {
  const { queue, merchant } = filters;
  return {
    ...ownFilterOf(filters),
    ...(queue && { queue }),
    ...(merchant !== null && { ofMerchant: merchant.merchantId }),
  };
}

/** The refunds of a receipt; disabled while `receiptId` is null. Polls while the bank is being called. */
export function useReceiptRefunds(receiptId: string | null) {
  const trpc = useTRPC();
  const merchant = usePageMerchant();
  const id = receiptId ?? '';
  const options = {
    refetchInterval: ({ state }: { state: { data: ReceiptRefunds | undefined } }) => pace(state.data),
  };
  const own = useQuery(
    trpc.refunds.ofReceipt.queryOptions(
      { merchantId: merchant?.merchantId ?? '', receiptId: id },
      { ...options, enabled: merchant !== null && receiptId !== null },
    ),
  );
  const across = useQuery(
    trpc.refunds.ofReceiptAcross.queryOptions(
      { receiptId: id },
      { ...options, enabled: merchant === null && receiptId !== null },
    ),
  );
  const query = merchant === null ? across : own;
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
  const trpc = useTRPC();
  const client = useQueryClient();
  const seen = useRef<string | null>(null);
  const now = data === undefined ? null : data.refunds.map(({ refundId, state }) => refundId + state).join();
  useEffect(() => {
    if (now === null || now === seen.current) return;
    const isFirst = seen.current === null;
    seen.current = now;
    if (isFirst) return;
    void client.invalidateQueries(trpc.exceptions.pathFilter());
    void client.invalidateQueries(trpc.transaction.pathFilter());
  }, [now, client, trpc]);
}
