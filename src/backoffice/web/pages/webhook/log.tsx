import { Box, Button, Group, Loader } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { dayAfter, lisbonDayStart } from '../../../../kernel/lisbon.ts';
import type { DeliveryLine } from '../../../webhook/deliveries.ts';
import { useAddressState } from '../../lib/address.ts';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { DeliveryRow } from '../../ui/delivery-row.tsx';
import { Empty, LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { ListSum, type MorePages, rowsOf, ShownRows, useShown } from '../../ui/more-rows.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import { FILTERS, type Filters, isFiltered, LogFilters } from './log-filters.tsx';
import { Recover } from './recovery.tsx';
import { TEXTS } from './texts.ts';
import css from './webhook.module.css';

const PAGE_ROWS = 20;
const FRESH_MS = 4_000;
const COUNTED_EVERY_MS = 15_000;

interface Props {
  readonly owner: boolean;
  /** The time of the oldest undelivered event; null when there is none. */
  readonly since: number | null;
  /** Whether sending is on. */
  readonly active: boolean;
}

/** The delivery log, newest first; updates live while only the first page is loaded. */
export function Log({ owner, since, active }: Props) {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const { merchantId } = useMerchant();
  const [filters, setFilters] = useAddressState(FILTERS);
  const query = useInfiniteQuery(
    trpc.webhook.deliveries.infiniteQueryOptions(
      { merchantId, limit: PAGE_ROWS, ...asked(filters) },
      {
        getNextPageParam: (page) => page.nextCursor,
        refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? FRESH_MS : false),
      },
    ),
  );
  const total = useQuery(
    trpc.webhook.countDeliveries.queryOptions(
      { merchantId, ...asked(filters) },
      { refetchInterval: COUNTED_EVERY_MS },
    ),
  );
  return (
    <Card title={words.log.title} flush actions={owner && <Actions since={since} active={active} />}>
      <LogFilters filters={filters} onChange={setFilters} />
      <ListSum inset total={total.data} counted={words.log.counted} />
      <Loaded
        query={query}
        skeleton={
          <Box px={{ base: 16, sm: 24 }} py={{ base: 16, sm: 18 }}>
            <LinesSkeleton lines={6} height={52} />
          </Box>
        }
      >
        {(data) => (
          <LogPage
            rows={rowsOf(data)}
            searchedTo={data.pages.at(-1)?.searchedTo ?? null}
            filtered={isFiltered(filters)}
            owner={owner}
            query={query}
          />
        )}
      </Loaded>
    </Card>
  );
}

function Actions({ since, active }: Omit<Props, 'owner'>) {
  const words = useTexts(TEXTS);
  const { merchantId } = useMerchant();
  return (
    <Group gap={8}>
      {active && <Recover since={since} trigger={<SmallButton>{words.recovery.open}</SmallButton>} />}
      <Button
        size="xs"
        variant="default"
        component="a"
        href={`/backoffice/export/events.jsonl?merchantId=${encodeURIComponent(merchantId)}`}
        title={words.log.exportHint}
      >
        {words.log.export}
      </Button>
    </Group>
  );
}

interface LogPageProps {
  readonly rows: readonly DeliveryLine[];
  /** The time back to which a bounded search has searched; null without such a search. */
  readonly searchedTo: number | null;
  readonly filtered: boolean;
  readonly owner: boolean;
  readonly query: MorePages<DeliveryLine>;
}

function LogPage({ rows, searchedTo, filtered, owner, query }: LogPageProps) {
  const words = useTexts(TEXTS).log;
  const format = useFormat();
  const { merchantId } = useMerchant();
  const shown = useShown(rows, (row) => row.deliveryId, query);
  if (rows.length === 0 && searchedTo === null) {
    return filtered ? (
      <Empty bare title={words.nothing} />
    ) : (
      <Empty bare title={words.empty}>
        {words.emptyHint}
      </Empty>
    );
  }
  const end = searchedTo !== null && (
    <p className={css.searched}>
      {query.isFetchingNextPage && <Loader size="xs" aria-hidden />}
      {rows.length === 0
        ? words.nothingSoFar(format.date(searchedTo))
        : words.searched(format.date(searchedTo))}
      <SmallButton onClick={() => void query.fetchNextPage()}>{words.searchOn}</SmallButton>
    </p>
  );
  return (
    <ShownRows shown={shown} end={end || undefined}>
      {(part) => (
        <ul aria-label={words.label}>
          {part.map((row) => (
            <DeliveryRow key={row.deliveryId} row={row} merchantId={merchantId} mayResend={owner} linked />
          ))}
        </ul>
      )}
    </ShownRows>
  );
}

/** Converts the filters for the server: Lisbon days become instants, both inclusive. */
function asked(filters: Filters) {
  const from = lisbonDayStart(filters.from);
  const until = filters.until === '' ? null : lisbonDayStart(dayAfter(filters.until));
  return {
    ...(filters.state !== null && { state: filters.state }),
    ...(filters.kind !== null && { kind: filters.kind }),
    ...(from !== null && { from }),
    ...(until !== null && { until }),
  };
}
