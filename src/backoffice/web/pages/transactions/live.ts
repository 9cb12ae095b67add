import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { TransactionPage } from '../../../transactions/list.ts';
import type { ListedTransaction } from '../../../transactions/view.ts';
import type { Filters } from './filters.ts';
import { useWatch } from './source.ts';

type Pages = InfiniteData<TransactionPage, string | null>;

/** Rows refreshed per call; they are part of the URL. */
const WATCHED_MAX = 60;
/** The server reports at most this many new rows. */
const NEWER_MAX = 50;
/** Within this distance of the top, new rows appear without a click. */
const TOP_PX = 80;

export interface Live {
  /** New rows not shown yet. */
  newer: readonly ListedTransaction[];
  /** There are too many new rows; the list is reloaded instead. */
  many: boolean;
  /** Inserts them at the top of the list. */
  show(): void;
}

/** Updates an open list: statuses change in place, and new rows wait behind a button unless the page is scrolled to the top. */
export function useLive(
  filters: Filters,
  queryKey: readonly unknown[],
  rows: readonly ListedTransaction[] | null,
): Live {
  const client = useQueryClient();
  const watch = useMemo(() => watchedOf(rows ?? []), [rows]);
  const seen = useWatch(filters, watch, rows !== null);
  const newer = useMemo(() => newerOf(seen?.newer ?? [], rows ?? []), [seen, rows]);
  const many = (seen?.newer.length ?? 0) >= NEWER_MAX;
  const atTop = useAtTop();

  useEffect(() => {
    if (seen === undefined) return;
    client.setQueryData<Pages>(queryKey, (pages) => pages && withRows(pages, seen.rows));
  }, [seen, client, queryKey]);

  const show = () => {
    if (many) void client.resetQueries({ queryKey });
    else client.setQueryData<Pages>(queryKey, (pages) => pages && withNewer(pages, newer));
    window.scrollTo({ top: 0 });
  };
  useEffect(() => {
    if (!atTop || many || newer.length === 0) return;
    client.setQueryData<Pages>(queryKey, (pages) => pages && withNewer(pages, newer));
  }, [atTop, many, newer, client, queryKey]);
  return { newer, many, show };
}

/** Returns the rows to refresh: the newest ones and those that can still change. */
function watchedOf(rows: readonly ListedTransaction[]): { ids: string[]; newest: string | null } {
  const first = rows.slice(0, WATCHED_MAX / 2);
  const pending = rows.slice(WATCHED_MAX / 2).filter(({ status }) => status === 'pending');
  const ids = [...first, ...pending].slice(0, WATCHED_MAX).map((row) => row.transactionId);
  return { ids, newest: rows[0]?.transactionId ?? null };
}

function newerOf(
  newer: readonly ListedTransaction[],
  rows: readonly ListedTransaction[],
): ListedTransaction[] {
  const newest = rows[0]?.transactionId ?? '';
  return newer.filter((row) => row.transactionId > newest);
}

function withNewer(pages: Pages, newer: readonly ListedTransaction[]): Pages {
  const [first, ...rest] = pages.pages;
  if (first === undefined) return pages;
  const known = new Set(first.rows.map((row) => row.transactionId));
  const fresh = newer.filter((row) => !known.has(row.transactionId));
  return fresh.length === 0
    ? pages
    : { ...pages, pages: [{ ...first, rows: [...fresh, ...first.rows] }, ...rest] };
}

/** Returns the same pages when no row changed, to avoid a re-render. */
function withRows(pages: Pages, rows: readonly ListedTransaction[]): Pages {
  const now = new Map(rows.map((row) => [row.transactionId, row]));
  let changed = false;
  const next = pages.pages.map((page) => ({
    ...page,
    rows: page.rows.map((row) => {
      const fresh = now.get(row.transactionId);
      if (fresh === undefined || JSON.stringify(fresh) === JSON.stringify(row)) return row;
      changed = true;
      return fresh;
    }),
  }));
  return changed ? { ...pages, pages: next } : pages;
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
