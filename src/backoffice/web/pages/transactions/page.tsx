import { Button, Skeleton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Empty } from '../../ui/empty.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { type MorePages, MoreRows, rowsOf } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { ExportButton } from './export.tsx';
import { FilterBar } from './filter-bar.tsx';
import { useFilters } from './filters.ts';
import { TransactionList } from './list.tsx';
import { useLive } from './live.ts';
import { Sum } from './sum.tsx';
import { TEXTS } from './texts.ts';
import css from './transactions.module.css';

const PAGE_ROWS = 50;
/** Pages loaded automatically during a sparse search before the user is asked. */
const SEARCH_PAGES_MAX = 20;

/** The merchant's transactions, with search, filters and live updates. */
export default function TransactionsPage() {
  const words = useTexts(TEXTS);
  const { merchantId } = useMerchant();
  const { filters, change, clear } = useFilters();
  return (
    <Page title={words.title} actions={<ExportButton filters={filters} />}>
      <FilterBar filters={filters} onChange={change} onClear={clear} />
      <Sum filters={filters} />
      <Found key={JSON.stringify([merchantId, filters])} />
    </Page>
  );
}

function Found() {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const trpc = useTRPC();
  const { merchantId } = useMerchant();
  const { filters } = useFilters();
  const input = useMemo(() => ({ merchantId, ...filters }), [merchantId, filters]);
  const options = useMemo(
    () =>
      trpc.transactions.list.infiniteQueryOptions(
        { ...input, limit: PAGE_ROWS },
        // Open rows are updated one by one; refetching all pages would move them.
        { getNextPageParam: (page) => page.nextCursor, staleTime: Number.POSITIVE_INFINITY },
      ),
    [trpc, input],
  );
  const query = useInfiniteQuery(options);
  const rows = useMemo(() => (query.data === undefined ? null : rowsOf(query.data)), [query.data]);
  const live = useLive(input, options.queryKey, rows);
  const search = useSearchOn(query, rows?.length ?? 0);
  const count = format.count(live.newer.length);
  return (
    <Loaded query={query} skeleton={<ListSkeleton />}>
      {() => (
        <div className={css.found}>
          {live.newer.length > 0 && (
            <div className={css.newer}>
              <Button radius="xl" onClick={live.show}>
                {live.many ? words.newerMany(count) : words.newer(count, live.newer.length === 1)}
              </Button>
            </div>
          )}
          {rows !== null && rows.length > 0 && (
            <TransactionList
              rows={rows}
              href={(row) => `/m/${merchantId}/transactions/${row.transactionId}`}
            />
          )}
          <End query={query} empty={rows?.length === 0} search={search} />
        </div>
      )}
    </Loaded>
  );
}

interface EndProps {
  readonly query: MorePages;
  readonly empty: boolean;
  readonly search: ReturnType<typeof useSearchOn>;
}

/** The footer of the list: search progress, empty state or a button for more. */
function End({ query, empty, search }: EndProps) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const { filters, clear } = useFilters();
  if (search.reached !== null) {
    const reached = format.date(search.reached);
    return (
      <div className={css.searched} role="status">
        <p>{search.running ? words.searching(reached) : words.searched(reached)}</p>
        <Button variant="default" loading={search.running} onClick={search.goOn}>
          {words.searchOn}
        </Button>
      </div>
    );
  }
  if (!empty) return <MoreRows query={query} />;
  if (Object.keys(filters).length === 0) return <Empty title={words.none}>{words.noneWhy}</Empty>;
  const clearing = (
    <Button variant="default" onClick={clear}>
      {words.clear}
    </Button>
  );
  return (
    <Empty title={words.noneFit} action={clearing}>
      {words.noneFitWhy}
    </Empty>
  );
}

type ListQuery = Pick<
  ReturnType<typeof useInfiniteQuery>,
  'hasNextPage' | 'isFetchingNextPage' | 'isError'
> & {
  readonly data: { readonly pages: readonly { readonly searchedTo: number | null }[] } | undefined;
  fetchNextPage(): unknown;
};

/** Continues a bounded search automatically until there are rows, up to a limit. */
function useSearchOn(query: ListQuery, rows: number) {
  const turns = useRef(0);
  const rowsBefore = useRef(rows);
  const reached = query.data?.pages.at(-1)?.searchedTo ?? null;
  const { isFetchingNextPage, isError } = query;
  const short = reached !== null && rows - rowsBefore.current < PAGE_ROWS && turns.current < SEARCH_PAGES_MAX;
  useEffect(() => {
    if (!short || isFetchingNextPage || isError) return;
    turns.current += 1;
    void query.fetchNextPage();
  });
  return {
    reached,
    running: isFetchingNextPage || (short && !isError),
    goOn() {
      turns.current = 0;
      rowsBefore.current = rows;
      void query.fetchNextPage();
    },
  };
}

function ListSkeleton() {
  return (
    <div className={css.skeleton}>
      {Array.from({ length: 10 }, (_, row) => `row-${row}`).map((row) => (
        <Skeleton key={row} height={44} radius={0} />
      ))}
    </div>
  );
}
