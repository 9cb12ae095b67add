import { Flex, SegmentedControl, Select, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { type FilterProps, useAddressDrawer, useAddressFilters } from '../../lib/address.ts';
import { countText, format, inThrees } from '../../lib/format.ts';
import { usePageMerchant, useScope } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Empty, LinesSkeleton } from '../../ui/loaded.tsx';
import { MerchantPicker } from '../../ui/merchant-picker.tsx';
import { PagedList } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { usePhone } from '../../ui/phone.ts';
import { Rows } from '../../ui/rows.tsx';
import { Soft } from '../../ui/soft.tsx';
import { StateBadge, stateWord } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import css from './exceptions.module.css';
import { TEXTS } from './texts.ts';
import { type CaseLine, FILTERS, type Filters, FLAGS, type Flag, type Kind } from './types.ts';

/** Loaded after the list. */
const CaseDrawer = lazy(() => import('./case-drawer.tsx'));

const FRESH = { refetchInterval: 15_000 };

/** The inbox of payments to resolve, and the resolved ones. */
export default function ExceptionsPage() {
  const [filters, changeFilters] = useAddressFilters(FILTERS);
  const drawer = useAddressDrawer('receipt');
  const merchantId = useScope();
  const asked = askedOf(filters, merchantId);
  const query = useInfiniteQuery(
    trpc.exceptions.list.infiniteQueryOptions(asked, {
      ...FRESH,
      getNextPageParam: (page) => page.nextCursor,
    }),
  );
  const total = useQuery(trpc.exceptions.sum.queryOptions(asked, FRESH));
  const { data: kinds = [] } = useQuery(trpc.exceptions.kinds.queryOptions({ merchantId }, FRESH));
  // On a phone its cards would push the cases off the screen; the filter counts the kinds.
  const phone = usePhone();
  return (
    <Page title={TEXTS.title} description={merchantId === null ? TEXTS.acrossLead : TEXTS.ownLead}>
      <FilterBar filters={filters} kinds={kinds} onChange={changeFilters} />
      {!phone && filters.state === 'open' && !isNarrowed(filters) && kinds.length > 0 && (
        <KindTable kinds={kinds} onKind={(flag) => changeFilters({ flag })} />
      )}
      <PagedList
        query={query}
        total={total}
        counted={TEXTS.counted}
        rowKey={(row) => row.receiptId}
        empty={<Nothing filters={filters} />}
        skeleton={<LinesSkeleton lines={4} height={92} />}
      >
        {(rows) => (
          <Flex component="ul" direction="column" gap={10} aria-label={TEXTS.cases}>
            {rows.map((row) => (
              <li key={row.receiptId}>
                <button type="button" className={css.case} onClick={() => drawer.open(row.receiptId)}>
                  <CaseFace row={row} />
                </button>
              </li>
            ))}
          </Flex>
        )}
      </PagedList>
      <Suspense>
        <CaseDrawer receiptId={drawer.shown} onClose={drawer.close} />
      </Suspense>
    </Page>
  );
}

/** The filters as the server expects them. */
function askedOf({ state, flag, merchant }: Filters, merchantId: string | null) {
  return {
    merchantId,
    state,
    flag: flag ?? undefined,
    ...(merchantId === null && { ofMerchant: merchant?.value }),
  };
}

interface FilterBarProps extends FilterProps<Filters> {
  readonly kinds: readonly Kind[];
}

function FilterBar({ filters, kinds: open, onChange }: FilterBarProps) {
  const across = usePageMerchant() === null;
  const counts = useQuery(trpc.exceptions.counts.queryOptions({ merchantId: useScope() }, FRESH));
  const flagLabel = (flag: Flag) => {
    const found = filters.state === 'open' ? open.find((kind) => kind.flag === flag) : undefined;
    return found === undefined ? stateWord(flag) : TEXTS.ofCount(stateWord(flag), countText(found));
  };
  const kinds = across ? FLAGS : FLAGS.filter((flag) => flag !== 'unmatched');
  return (
    <search className={across ? `${css.filters} ${css.across}` : css.filters}>
      <SegmentedControl
        aria-label={TEXTS.state}
        value={filters.state}
        onChange={(state) => onChange({ state })}
        data={[
          {
            value: 'open',
            label: counts.data === undefined ? TEXTS.open : TEXTS.openCount(countText(counts.data)),
          },
          { value: 'settled', label: TEXTS.settled },
        ]}
      />
      <Select
        label={TEXTS.flag}
        allowDeselect={false}
        value={filters.flag ?? ''}
        onChange={(flag) => onChange({ flag: flag || null })}
        data={[
          { value: '', label: TEXTS.anyFlag },
          ...kinds.map((flag) => ({ value: flag, label: flagLabel(flag) })),
        ]}
      />
      {across && <MerchantPicker value={filters.merchant} onChange={(merchant) => onChange({ merchant })} />}
    </search>
  );
}

function isNarrowed({ flag, merchant }: Filters): boolean {
  return flag !== null || merchant !== null;
}

function Nothing({ filters }: { readonly filters: Filters }) {
  if (isNarrowed(filters)) return <Empty title={TEXTS.nothingFits} />;
  return filters.state === 'open' ? (
    <Empty title={TEXTS.nothingOpen}>{TEXTS.nothingOpenWhy}</Empty>
  ) : (
    <Empty title={TEXTS.nothingSettled}>{TEXTS.nothingSettledWhy}</Empty>
  );
}

interface Props {
  readonly kinds: readonly Kind[];
  readonly onKind: (flag: Flag) => void;
}

/** The open cases by kind, with sums; a row narrows the list to its kind. */
function KindTable({ kinds, onKind }: Props) {
  return (
    <Rows
      label={TEXTS.byKind}
      rows={kinds}
      rowKey={(kind) => kind.flag}
      onRow={(kind) => onKind(kind.flag)}
      columns={[
        { key: 'kind', label: TEXTS.flag, cell: (kind) => <StateBadge state={kind.flag} /> },
        {
          key: 'count',
          label: TEXTS.cases,
          align: 'right',
          cell: countText,
        },
        {
          key: 'oldest',
          label: TEXTS.oldest,
          cell: (kind) => kind.oldestAt !== null && <Time at={kind.oldestAt} as="ago" />,
        },
        {
          key: 'sum',
          label: TEXTS.total,
          align: 'right',
          cell: ({ cents, more }) => <strong>{`${format.euro(cents)}${more ? '+' : ''}`}</strong>,
        },
      ]}
    />
  );
}

function CaseFace({ row }: { readonly row: CaseLine }) {
  const settled = row.settlement !== null && row.settledAt !== null;
  return (
    <>
      <Text span fz="1.5rem" fw={680} lts="-0.015em" textWrap="nowrap">
        {format.euro(row.amountCents)}
      </Text>
      <span className={css.middle}>
        <Flex component="span" wrap="wrap" gap={6}>
          {row.flags.map((flag) => (
            <StateBadge key={flag} state={flag} />
          ))}
          {row.settlement !== null && <StateBadge state={row.settlement} />}
        </Flex>
        <Sentence row={row} />
        <Whose row={row} />
      </span>
      <Flex component="span" direction="column" align="flex-end" ta="right">
        <Soft>{settled ? TEXTS.settledAt : TEXTS.came}</Soft>
        <Text span fz="1.15rem" fw={620} textWrap="nowrap">
          <Time at={settled ? (row.settledAt ?? 0) : row.recordedAt} as="ago" />
        </Text>
      </Flex>
    </>
  );
}

function Sentence({ row }: { readonly row: CaseLine }) {
  const flag = row.flags.find((known) => known !== 'late') ?? row.flags[0];
  const due = row.transaction?.amountCents ?? 0;
  const parts: string[] = [TEXTS.short[flag ?? 'assigned']];
  if (row.missingCents !== null) {
    const { receivedCents, missingCents } = row;
    const isPart = receivedCents !== row.amountCents;
    if (isPart) parts.push(TEXTS.together(format.euro(receivedCents), format.euro(due)));
    if (missingCents > 0) parts.push(TEXTS.missing(format.euro(missingCents)));
    else parts.push(TEXTS.complete);
  } else if (flag === 'over' && row.settlement === null && row.transaction !== null) {
    parts.push(TEXTS.surplus(format.euro(row.amountCents - due)));
  }
  return (
    <Text span fw={560}>
      {parts.join(': ')}
    </Text>
  );
}

function Whose({ row }: { readonly row: CaseLine }) {
  const across = usePageMerchant() === null;
  const reference = row.method === 'REFERENCE' && row.reference !== null ? ` ${inThrees(row.reference)}` : '';
  const parts = [
    across ? row.merchant?.name : null,
    row.transaction === null ? null : `${TEXTS.order} ${row.transaction.orderId}`,
    row.transaction?.linkTitle,
    `${TEXTS.methods[row.method ?? 'none']}${reference}`,
  ].filter((part) => part !== null && part !== undefined);
  const { name, phone, email } = row.customer ?? {};
  const contact = [name, phone, email].filter((part) => part !== null && part !== undefined);
  return (
    <>
      <Soft>
        <Breakable text={parts.join(' · ')} />
      </Soft>
      {contact.length > 0 && (
        <Soft>
          <Breakable text={contact.join(' · ')} />
        </Soft>
      )}
    </>
  );
}
