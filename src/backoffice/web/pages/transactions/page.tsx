import { Button, Skeleton, Stack } from '@mantine/core';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { format } from '../../lib/format.ts';
import { usePageBase, usePageMerchant } from '../../lib/session.ts';
import list from '../../ui/list-sum.module.css';
import { Empty, Loaded, Stale } from '../../ui/loaded.tsx';
import { ListSum, rowsOf, ShownRows, useShown } from '../../ui/more-rows.tsx';
import { notifyFault } from '../../ui/notify.ts';
import { Page } from '../../ui/page.tsx';
import { ExportButton } from './export.tsx';
import { FilterBar } from './filter-bar.tsx';
import { type Filters, isUnfiltered, useFilters } from './filters.ts';
import { TransactionList } from './list.tsx';
import { useLive } from './live.ts';
import { useList, useSum } from './source.ts';
import { TEXTS } from './texts.ts';
import css from './transactions.module.css';

/** The number of new rows after which a search stops and asks the user. */
const FOUND_ROWS = 50;
/** Pages loaded automatically during a sparse search before the user is asked. */
const SEARCH_PAGES_MAX = 20;

/** The transactions of a merchant, or of all for the operator, with search, filters and live updates. */
export default function TransactionsPage() {
  const merchant = usePageMerchant();
  const { filters, change, clear } = useFilters();
  return (
    <Page
      title={TEXTS.pages.transactions}
      description={merchant === null ? TEXTS.acrossLead : undefined}
      actions={<ExportButton filters={filters} />}
    >
      <FilterBar filters={filters} onChange={change} onClear={clear} />
      <Sum filters={filters} />
      <Found key={JSON.stringify([merchant?.merchantId, filters])} />
    </Page>
  );
}

function Found() {
  const { filters } = useFilters();
  const { query, queryKey } = useList(filters);
  const loaded = useMemo(() => (query.data === undefined ? null : rowsOf(query.data)), [query.data]);
  const live = useLive(filters, queryKey, loaded);
  const search = useSearchOn(query, loaded?.length ?? 0);
  const shown = useShown(loaded ?? [], (row) => row.transactionId, query);
  const count = format.count(live.newer.length);
  const base = usePageBase();
  const show = () => {
    shown.toStart();
    live.show();
  };
  return (
    <Loaded query={query} skeleton={<ListSkeleton />}>
      {() => (
        <Stack gap={12}>
          <Stale query={live.polled} />
          {live.newer.length > 0 && (
            <div className={css.newer}>
              <Button radius="xl" onClick={show}>
                {live.many ? TEXTS.newerMany(count) : TEXTS.newer(count, live.newer.length === 1)}
              </Button>
            </div>
          )}
          <ShownRows shown={shown} end={endOf(loaded?.length === 0, search)}>
            {(part) =>
              part.length > 0 && (
                <TransactionList rows={part} href={(row) => `${base}/transactions/${row.transactionId}`} />
              )
            }
          </ShownRows>
        </Stack>
      )}
    </Loaded>
  );
}

/** The end of the list instead of a button for more: search progress or the empty state. */
function endOf(empty: boolean, search: Search): ReactNode {
  if (search.reached !== null) return <SearchedTo search={search} reached={search.reached} />;
  return empty ? <Nothing /> : undefined;
}

type Search = ReturnType<typeof useSearchOn>;

function SearchedTo({ search, reached }: { readonly search: Search; readonly reached: number }) {
  const day = format.date(reached);
  return (
    <Stack align="center" gap={10} p={20} ta="center" c="dimmed" role="status">
      <p>{search.running ? TEXTS.searching(day) : TEXTS.searched(day)}</p>
      <Button variant="default" loading={search.running} onClick={search.goOn}>
        {TEXTS.searchOn}
      </Button>
    </Stack>
  );
}

function Nothing() {
  const { filters, clear } = useFilters();
  const across = usePageMerchant() === null;
  if (isUnfiltered(filters))
    return <Empty title={TEXTS.none}>{across ? TEXTS.noneWhyAcross : TEXTS.noneWhy}</Empty>;
  const clearAll = () => {
    clear();
    document.querySelector<HTMLElement>('search input')?.focus();
  };
  const clearing = (
    <Button variant="default" onClick={clearAll}>
      {TEXTS.clear}
    </Button>
  );
  return (
    <Empty title={TEXTS.noneFit} action={clearing}>
      {TEXTS.noneFitWhy} {across && TEXTS.unmatched}
    </Empty>
  );
}

/** Continues a bounded search automatically until there are rows, up to a limit. */
function useSearchOn(query: ReturnType<typeof useList>['query'], rows: number) {
  const turns = useRef(0);
  const rowsBefore = useRef(rows);
  const reached = query.data?.pages.at(-1)?.searchedTo ?? null;
  const { isFetchingNextPage, isError } = query;
  const short =
    reached !== null && rows - rowsBefore.current < FOUND_ROWS && turns.current < SEARCH_PAGES_MAX;
  useEffect(() => {
    if (!short || isFetchingNextPage || isError) return;
    turns.current += 1;
    void query.fetchNextPage();
  });
  return {
    reached,
    running: isFetchingNextPage || (short && !isError),
    async goOn() {
      turns.current = 0;
      rowsBefore.current = rows;
      const { error } = await query.fetchNextPage();
      if (error !== null) notifyFault(error);
    },
  };
}

function ListSkeleton() {
  return (
    <Stack gap={1} bd="1px solid var(--line)" bdrs={14} style={{ overflow: 'hidden' }}>
      {Array.from({ length: 10 }, (_, row) => `row-${row}`).map((row) => (
        <Skeleton key={row} height={44} radius={0} />
      ))}
    </Stack>
  );
}

/** The count and the sum of the filtered list; with a filter by day of payment, also the rule of the sum. */
function Sum({ filters }: { readonly filters: Filters }) {
  const total = useSum(filters);
  const { data } = total;
  if (data === undefined || data.more || data.count === 0 || filters.by !== 'paid')
    return <ListSum total={total} counted={TEXTS.counted} />;
  const { count, cents } = data;
  return (
    <p className={list.sum} role="status">
      <strong>{TEXTS.received(format.euro(cents), format.count(count), count === 1)}</strong>{' '}
      {TEXTS.receivedRule}
    </p>
  );
}
