import { Box, Button, SegmentedControl, Select, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { TbDownload } from 'react-icons/tb';
import { type FilterProps, useAddressDrawer, useAddressFilters } from '../../lib/address.ts';
import { countText } from '../../lib/format.ts';
import { usePageMerchant } from '../../lib/session.ts';
import { Empty, LinesSkeleton } from '../../ui/loaded.tsx';
import { MerchantPicker } from '../../ui/merchant-picker.tsx';
import { Money } from '../../ui/money.tsx';
import { PagedTable } from '../../ui/more-rows.tsx';
import { Opener } from '../../ui/opener.tsx';
import { Page } from '../../ui/page.tsx';
import type { Column } from '../../ui/rows.tsx';
import { Hint, Soft } from '../../ui/soft.tsx';
import { Time } from '../../ui/time.tsx';
import { RefundBadge } from './badge.tsx';
import { PANEL_TEXTS } from './panel-texts.ts';
import css from './refunds.module.css';
import { ReportedRefunds } from './reported.tsx';
import { useRefunds, useSum } from './source.ts';
import { TEXTS } from './texts.ts';
import { FILTERS, type Filters, QUEUE_STATES, type RefundLine, type RefundState, STATES } from './types.ts';

/** Loaded after the list. */
const RefundDrawer = lazy(() => import('./drawer.tsx'));
const ExportDialog = lazy(() => import('./export-dialog.tsx'));

/** The refunds of a merchant, or of all merchants with those to settle first. */
export default function RefundsPage() {
  const across = usePageMerchant() === null;
  const [filters, changeFilters] = useAddressFilters(FILTERS);
  const drawer = useAddressDrawer('receipt');
  return (
    <Page
      title={TEXTS.pages.refunds}
      description={across ? TEXTS.acrossLead : TEXTS.ownLead}
      {...(across && { actions: <ExportTransfers onShow={drawer.open} /> })}
    >
      {across && <ReportedRefunds onShow={drawer.open} />}
      <FilterBar filters={filters} onChange={changeFilters} />
      <RefundList filters={filters} onOpen={drawer.open} />
      <Suspense>
        <RefundDrawer receiptId={drawer.shown} onClose={drawer.close} />
      </Suspense>
    </Page>
  );
}

function ExportTransfers({ onShow }: { readonly onShow: (receiptId: string) => void }) {
  const words = TEXTS.export;
  const button = (
    <Button variant="default" leftSection={<TbDownload size={16} aria-hidden />}>
      {words.button}
    </Button>
  );
  return <Opener trigger={button}>{(close) => <ExportDialog onShow={onShow} onClose={close} />}</Opener>;
}

function FilterBar({ filters, onChange }: FilterProps<Filters>) {
  const { states: names } = PANEL_TEXTS;
  const across = usePageMerchant() === null;
  const states: readonly RefundState[] = across && filters.show === 'queue' ? QUEUE_STATES : STATES;
  return (
    <search className={css.filters}>
      {across && <QueueSwitch filters={filters} onChange={onChange} />}
      <Select
        label={TEXTS.state}
        allowDeselect={false}
        value={filters.state ?? ''}
        onChange={(state) => onChange({ state: state || null })}
        data={[
          { value: '', label: TEXTS.all },
          ...states.map((state) => ({ value: state, label: names[state] })),
        ]}
      />
      {across && <MerchantPicker value={filters.merchant} onChange={(merchant) => onChange({ merchant })} />}
    </search>
  );
}

function QueueSwitch({ filters, onChange }: FilterProps<Filters>) {
  const { data: queued } = useSum({ show: 'queue', state: null, merchant: null });
  return (
    <SegmentedControl
      aria-label={TEXTS.show}
      value={filters.show}
      onChange={(show) => onChange({ show, state: null })}
      data={[
        {
          value: 'queue',
          label: queued === undefined ? TEXTS.queue : TEXTS.queueCount(countText(queued)),
        },
        { value: 'all', label: TEXTS.all },
      ]}
    />
  );
}

function Nothing({ filters, across }: { readonly filters: Filters; readonly across: boolean }) {
  if (filters.state !== null || filters.merchant !== null) return <Empty title={TEXTS.nothingFits} />;
  return across && filters.show === 'queue' ? (
    <Empty title={TEXTS.nothingQueued}>{TEXTS.nothingQueuedWhy}</Empty>
  ) : (
    <Empty title={TEXTS.nothing}>{TEXTS.nothingWhy}</Empty>
  );
}

interface Props {
  readonly filters: Filters;
  readonly onOpen: (receiptId: string) => void;
}

function RefundList({ filters, onOpen }: Props) {
  const across = usePageMerchant() === null;
  const columns: Column<RefundLine>[] = [
    { key: 'amount', label: TEXTS.amount, cell: (row) => <Money cents={row.amountCents} /> },
    { key: 'state', label: TEXTS.state, cell: ({ state }) => <RefundBadge state={state} /> },
    {
      key: 'order',
      label: TEXTS.order,
      cell: ({ transaction }) => (
        // Only longer order numbers break.
        <Box display="inline-block" miw="10ch">
          {transaction?.orderId ?? TEXTS.noOrder}
          {transaction?.linkTitle && <Hint>{transaction.linkTitle}</Hint>}
        </Box>
      ),
    },
    ...(across
      ? [{ key: 'merchant', label: TEXTS.merchant, cell: (row: RefundLine) => row.merchant?.name ?? '–' }]
      : []),
    { key: 'account', label: TEXTS.account, cell: (row) => <Account row={row} /> },
    { key: 'reason', label: TEXTS.reason, wideOnly: true, cell: ({ reason }) => <Soft>{reason ?? ''}</Soft> },
    {
      key: 'created',
      label: TEXTS.created,
      align: 'right',
      cell: ({ createdAt }) => <Time soft at={createdAt} as={across ? 'ago' : 'time'} />,
    },
  ];
  return (
    <PagedTable
      query={useRefunds(filters)}
      total={useSum(filters)}
      counted={TEXTS.counted}
      empty={<Nothing filters={filters} across={across} />}
      skeleton={<LinesSkeleton lines={6} height={44} />}
      label={TEXTS.pages.refunds}
      rowKey={({ refundId }) => refundId}
      onRow={({ receiptId }) => onOpen(receiptId)}
      columns={columns}
    />
  );
}

function Account({ row: { transfer, state, iban, name, exportedAt } }: { readonly row: RefundLine }) {
  if (!transfer) return '–';
  if (state === 'awaiting_transfer' && (iban === null || name === null)) {
    return (
      <Text span c="var(--warn)" fw={600}>
        {iban === null ? TEXTS.noIban : TEXTS.noName}
      </Text>
    );
  }
  if (iban === null) return '–';
  return (
    <span>
      {TEXTS.iban(iban)}
      {exportedAt !== null && <Soft> {TEXTS.exported}</Soft>}
    </span>
  );
}
