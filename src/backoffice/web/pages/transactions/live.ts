import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { TransactionPage } from '../../../transactions/list.ts';
import type { ListedTransaction } from '../../../transactions/view.ts';
import type { Filters } from './filters.ts';
import { useFirstPage } from './source.ts';

type Pages = InfiniteData<TransactionPage, string | null>;

/** Within this distance of the top, new rows appear without a click. */
const TOP_PX = 80;

export interface Live {
  /** The loaded rows, updated. */
  rows: readonly ListedTransaction[];
  /** New rows not shown yet. */
  newer: readonly ListedTransaction[];
  /** There are too many new rows; the list is reloaded instead. */
  many: boolean;
  /** Inserts them at the top of the list. */
  show(): void;
}

/** Updates an open list from its first page; new rows wait behind a button unless the page is scrolled to the top. */
export function useLive(
  filters: Filters,
  queryKey: readonly unknown[],
  loaded: readonly ListedTransaction[] | null,
): Live {
  const client = useQueryClient();
  const first = useFirstPage(filters, loaded !== null);
  const { rows, newer, many } = useMemo(() => merged(loaded ?? [], first), [loaded, first]);
  const atTop = useAtTop();
  const show = () => {
    if (many) void client.resetQueries({ queryKey });
    else client.setQueryData<Pages>(queryKey, (pages) => pages && withNewer(pages, newer));
    window.scrollTo({ top: 0 });
  };
  useEffect(() => {
    if (!atTop || many || newer.length === 0) return;
    client.setQueryData<Pages>(queryKey, (pages) => pages && withNewer(pages, newer));
  }, [atTop, many, newer, client, queryKey]);
  return { rows, newer, many, show };
}

/** Replaces the loaded rows that the first page covers. */
function merged(loaded: readonly ListedTransaction[], first: TransactionPage | undefined) {
  if (first === undefined) return { rows: loaded, newer: [], many: false };
  const newest = loaded[0]?.transactionId ?? '';
  const newer = first.rows.filter((row) => row.transactionId > newest);
  const last = first.rows.at(-1)?.transactionId;
  const rest =
    first.nextCursor === null ? [] : loaded.filter((row) => last === undefined || row.transactionId < last);
  const many = newer.length > 0 && newer.length === first.rows.length && first.nextCursor !== null;
  return { rows: [...first.rows.slice(newer.length), ...rest], newer, many };
}

function withNewer(pages: Pages, newer: readonly ListedTransaction[]): Pages {
  return {
    ...pages,
    pages: pages.pages.map((page, index) =>
      index === 0 ? { ...page, rows: [...newer, ...page.rows] } : page,
    ),
  };
}

function useAtTop(): boolean {
  const [atTop, setAtTop] = useState(() => window.scrollY < TOP_PX);
  useEffect(() => {
    const update = () => setAtTop(window.scrollY < TOP_PX);
    window.addEventListener('scroll', update, { passive: true });
    return () => window.removeEventListener('scroll', update);
  }, []);
  return atTop;
}
