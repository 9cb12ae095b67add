import { Button, Group, Loader, Select } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { dayAfter } from '../../../../kernel/lisbon.ts';
import { EVENT_KINDS } from '../../../../kernel/payment-enums.ts';
import type { DeliveryLine } from '../../../webhook/deliveries.ts';
import {
  addressOf,
  choice,
  day,
  type FilterProps,
  type StateOf,
  startOfDay,
  useAddressFilters,
} from '../../lib/address.ts';
import { EVENT_NAMES } from '../../lib/event-names.ts';
import { format } from '../../lib/format.ts';
import { useMayChange, useMerchant } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { DayField } from '../../ui/day-field.tsx';
import { DeliveryRow } from '../../ui/delivery-row.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { Empty, LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { ListSum, type MorePages, rowsOf, ShownRows, useShown } from '../../ui/more-rows.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import { stateWord } from '../../ui/state-badge.tsx';
import { Recover } from './recovery.tsx';
import { TEXTS } from './texts.ts';
import css from './webhook.module.css';

const PAGE_ROWS = 20;
const FRESH_MS = 4_000;
const COUNTED_EVERY_MS = 15_000;

interface Props {
  /** The time of the oldest undelivered event; null when there is none. */
  readonly since: number | null;
  /** Whether sending is on. */
  readonly active: boolean;
}

/** The delivery log, newest first; updates live while only the first page is loaded. */
export function Log({ since, active }: Props) {
  const owner = useMayChange();
  const { merchantId } = useMerchant();
  const [filters, changeFilters] = useAddressFilters(FILTERS);
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
    <Card title={TEXTS.log.title} flush actions={owner && <Actions since={since} active={active} />}>
      <LogFilters filters={filters} onChange={changeFilters} />
      <ListSum inset total={total} counted={TEXTS.log.counted} />
      <Loaded query={query} skeleton={<LinesSkeleton inset lines={6} height={52} />}>
        {(data) => (
          <LogPage
            rows={rowsOf(data)}
            searchedTo={data.pages.at(-1)?.searchedTo ?? null}
            filtered={isFiltered(filters)}
            query={query}
          />
        )}
      </Loaded>
    </Card>
  );
}

function Actions({ since, active }: Props) {
  const { merchantId } = useMerchant();
  return (
    <Group gap={8}>
      {active && <Recover since={since} trigger={<SmallButton>{TEXTS.recovery.open}</SmallButton>} />}
      <DownloadButton
        size="xs"
        href={`/backoffice/export/events.jsonl?merchantId=${encodeURIComponent(merchantId)}`}
        title={TEXTS.log.exportHint}
      >
        {TEXTS.log.export}
      </DownloadButton>
    </Group>
  );
}

interface LogPageProps {
  readonly rows: readonly DeliveryLine[];
  /** The time back to which a bounded search has searched; null without such a search. */
  readonly searchedTo: number | null;
  readonly filtered: boolean;
  readonly query: MorePages<DeliveryLine>;
}

function LogPage({ rows, searchedTo, filtered, query }: LogPageProps) {
  const { searchOn, log: words } = TEXTS;
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
    <Group justify="center" gap="8px 14px" p="20px 24px" c="dimmed">
      {query.isFetchingNextPage && <Loader size="xs" aria-hidden />}
      {rows.length === 0
        ? words.nothingSoFar(format.date(searchedTo))
        : words.searched(format.date(searchedTo))}
      <SmallButton onClick={() => void query.fetchNextPage()}>{searchOn}</SmallButton>
    </Group>
  );
  return (
    <ShownRows shown={shown} end={end || undefined}>
      {(part) => (
        <ul aria-label={words.label}>
          {part.map((row) => (
            <DeliveryRow key={row.deliveryId} row={row} merchantId={merchantId} linked />
          ))}
        </ul>
      )}
    </ShownRows>
  );
}

/** Converts the filters for the server: Lisbon days become instants, both inclusive. */
function asked(filters: Filters) {
  const { state, kind, from, until } = filters;
  return {
    state: state ?? undefined,
    kind: kind ?? undefined,
    from: startOfDay(from),
    until: until === '' ? undefined : startOfDay(dayAfter(until)),
  };
}

const STATES = ['delivered', 'undelivered', 'skipped', 'missed', 'due'] as const;

/** The filters in the address; both days are included. */
const FILTERS = addressOf({
  state: choice('state', STATES),
  kind: choice('kind', EVENT_KINDS),
  from: day('from'),
  until: day('until'),
});
type Filters = StateOf<typeof FILTERS>;

const NO_FILTERS = FILTERS.read(new URLSearchParams());

function isFiltered(filters: Filters): boolean {
  return Object.values(filters).some(Boolean);
}

function LogFilters({ filters, onChange }: FilterProps<Filters>) {
  return (
    <div className={css.filters}>
      <Select
        label={TEXTS.state}
        placeholder={TEXTS.all}
        clearable
        data={STATES.map((state) => ({
          value: state,
          label: state === 'missed' ? TEXTS.log.missed : stateWord(state),
        }))}
        value={filters.state}
        onChange={(state) => onChange({ state })}
      />
      <Select
        label={TEXTS.log.kind}
        placeholder={TEXTS.all}
        clearable
        data={EVENT_KINDS.map((kind) => ({ value: kind, label: EVENT_NAMES[kind] }))}
        value={filters.kind}
        onChange={(kind) => onChange({ kind })}
      />
      <DayField label={TEXTS.from} value={filters.from} onChange={(from) => onChange({ from })} />
      <DayField label={TEXTS.to} value={filters.until} onChange={(until) => onChange({ until })} />
      {isFiltered(filters) && (
        <Button variant="subtle" onClick={() => onChange(NO_FILTERS)}>
          {TEXTS.log.clear}
        </Button>
      )}
    </div>
  );
}
