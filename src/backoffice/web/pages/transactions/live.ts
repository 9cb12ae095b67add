import type { InfiniteData } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { TransactionPage } from '../../../transactions/list.ts';
import type { ListedTransaction } from '../../../transactions/view.ts';
import { queryClient, trpc } from '../../lib/trpc.ts';
import { type QueryView, useFailure } from '../../ui/loaded.tsx';
import { rowsOf } from '../../ui/more-rows.tsx';
import type { Filters } from './filters.ts';
import { useCurrent, useFirstPage } from './source.ts';

type Row = ListedTransaction;
type Pages = InfiniteData<TransactionPage, string | null>;

/** Within this distance of the top, new rows appear without a click. */
const TOP_PX = 80;
/** Rows below the first page that are updated; their ids are part of the URL. */
const CURRENT_MAX = 60;
/** Sorts after every id. */
const AFTER_ALL = '~';

export interface Live {
  /** Of the two queries that update the list, the failing one, if any. */
  polled: QueryView<unknown>;
  /** New rows not shown yet. */
  newer: readonly Row[];
  /** There are too many new rows; the list is reloaded instead. */
  many: boolean;
  /** Inserts them at the top of the list. */
  show(): void;
}

/**
 * Updates an open list from its first page, and its pending rows below that page one by one. New rows wait behind a button unless
 * the page is scrolled to the top.
 */
export function useLive(filters: Filters, queryKey: readonly unknown[], loaded: readonly Row[] | null): Live {
  const firstPage = useFirstPage(filters, loaded !== null);
  const first = firstPage.data;
  const from = coveredFrom(filters, first);
  const below = useCurrent(useMemo(() => pendingBelow(loaded ?? [], from), [loaded, from]));
  const current = below.data;
  const newer = useMemo(() => newerOf(loaded ?? [], first), [loaded, first]);
  const many = newer.length > 0 && newer.length === first?.rows.length && first.nextCursor !== null;
  const atTop = useAtTop();
  // `loaded` is a dependency: a page that was requested before an update brings the old states back.
  useEffect(() => {
    if (loaded === null) return;
    const newState = (pages: Pages) => withState(pages, from, first?.rows ?? [], current ?? []);
    queryClient.setQueryData<Pages>(queryKey, (pages) => pages && newState(pages));
  }, [loaded, first, from, current, queryKey]);
  const show = () => {
    if (many) void queryClient.resetQueries(trpc.transactions.list.pathFilter());
    else queryClient.setQueryData<Pages>(queryKey, (pages) => pages && withNewer(pages, newer));
    window.scrollTo({ top: 0 });
  };
  useEffect(() => {
    if (!atTop || many || newer.length === 0) return;
    queryClient.setQueryData<Pages>(queryKey, (pages) => pages && withNewer(pages, newer));
  }, [atTop, many, newer, queryKey]);
  return { polled: useFailure(below) === null ? firstPage : below, newer, many, show };
}

const newestOf = (loaded: readonly Row[]) => loaded[0]?.transactionId ?? '';

function newerOf(loaded: readonly Row[], first: TransactionPage | undefined): readonly Row[] {
  return (first?.rows ?? []).filter((row) => row.transactionId > newestOf(loaded));
}

/** Returns the id from which the first page has every row. That of a search is polled less often and only shows newer rows. */
function coveredFrom(filters: Filters, first: TransactionPage | undefined): string {
  if (first === undefined || filters.search !== '') return AFTER_ALL;
  return first.nextCursor === null ? '' : (first.rows.at(-1)?.transactionId ?? AFTER_ALL);
}

function pendingBelow(loaded: readonly Row[], from: string): string[] {
  const pending = loaded.filter((row) => row.status === 'pending' && row.transactionId < from);
  return pending.slice(0, CURRENT_MAX).map((row) => row.transactionId);
}

/** Replaces the rows from the id `from` with those of the first page, and older ones with their current state. */
function withState(pages: Pages, from: string, first: readonly Row[], current: readonly Row[]): Pages {
  const newest = newestOf(rowsOf(pages));
  const covering = first.filter((row) => row.transactionId >= from && row.transactionId <= newest);
  const known = new Map(current.map((row) => [row.transactionId, row]));
  return {
    ...pages,
    pages: pages.pages.map((page, index) => {
      const older = page.rows.filter((row) => row.transactionId < from);
      const rest = older.map((row) => known.get(row.transactionId) ?? row);
      return { ...page, rows: index === 0 ? [...covering, ...rest] : rest };
    }),
  };
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
