import { Box, Button, SegmentedControl, Select, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useAddressDrawer, useAddressFilters } from '../../lib/address.ts';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { usePageMerchant } from '../../lib/session.ts';
import { Empty, LinesSkeleton } from '../../ui/loaded.tsx';
import { MerchantPicker } from '../../ui/merchant-picker.tsx';
import { Money } from '../../ui/money.tsx';
import { PagedList } from '../../ui/more-rows.tsx';
import { Opener } from '../../ui/opener.tsx';
import { Page } from '../../ui/page.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
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
  const words = useTexts(TEXTS);
  const across = usePageMerchant() === null;
  const [filters, changeFilters] = useAddressFilters(FILTERS);
  const drawer = useAddressDrawer('receipt');
  const query = useRefunds(filters);
  return (
    <Page
      title={words.pages.refunds}
      description={across ? words.acrossLead : words.ownLead}
      {...(across && { actions: <ExportTransfers onShow={drawer.open} /> })}
    >
      {across && <ReportedRefunds onShow={drawer.open} />}
      <FilterBar filters={filters} onChange={changeFilters} />
      <PagedList
        query={query}
        total={useSum(filters)}
        counted={words.counted}
        rowKey={(row) => row.refundId}
        empty={<Nothing filters={filters} across={across} />}
        skeleton={<LinesSkeleton lines={6} height={44} />}
      >
        {(rows) => <RefundList rows={rows} onOpen={drawer.open} />}
      </PagedList>
      <Suspense>
        <RefundDrawer receiptId={drawer.shown} onClose={drawer.close} />
      </Suspense>
    </Page>
  );
}

function ExportTransfers({ onShow }: { readonly onShow: (receiptId: string) => void }) {
  const words = useTexts(TEXTS).export;
  const button = (
    <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
      {words.button}
    </Button>
  );
  return <Opener trigger={button}>{(close) => <ExportDialog onShow={onShow} onClose={close} />}</Opener>;
}

interface FilterProps {
  readonly filters: Filters;
  readonly onChange: (changes: Partial<Filters>) => void;
}

function FilterBar({ filters, onChange }: FilterProps) {
  const words = useTexts(TEXTS);
  const { states: names } = useTexts(PANEL_TEXTS);
  const across = usePageMerchant() === null;
  const states: readonly RefundState[] = across && filters.show === 'queue' ? QUEUE_STATES : STATES;
  return (
    <search className={css.filters}>
      {across && <QueueSwitch filters={filters} onChange={onChange} />}
      <Select
        label={words.state}
        allowDeselect={false}
        value={filters.state ?? ''}
        onChange={(state) => onChange({ state: state || null })}
        data={[
          { value: '', label: words.all },
          ...states.map((state) => ({ value: state, label: names[state] })),
        ]}
      />
      {across && <MerchantPicker value={filters.merchant} onChange={(merchant) => onChange({ merchant })} />}
    </search>
  );
}

function QueueSwitch({ filters, onChange }: FilterProps) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const queued = useSum({ show: 'queue', state: null, merchant: null });
  return (
    <SegmentedControl
      aria-label={words.show}
      value={filters.show}
      onChange={(show) => onChange({ show, state: null })}
      data={[
        {
          value: 'queue',
          label: queued === undefined ? words.queue : words.queueCount(format.count(queued.count)),
        },
        { value: 'all', label: words.all },
      ]}
    />
  );
}

function Nothing({ filters, across }: { readonly filters: Filters; readonly across: boolean }) {
  const words = useTexts(TEXTS);
  if (filters.state !== null || filters.merchant !== null) return <Empty title={words.nothingFits} />;
  return across && filters.show === 'queue' ? (
    <Empty title={words.nothingQueued}>{words.nothingQueuedWhy}</Empty>
  ) : (
    <Empty title={words.nothing}>{words.nothingWhy}</Empty>
  );
}

interface Props {
  readonly rows: readonly RefundLine[];
  readonly onOpen: (receiptId: string) => void;
}

/** The list of refunds. */
function RefundList({ rows, onOpen }: Props) {
  const words = useTexts(TEXTS);
  const across = usePageMerchant() === null;
  const columns: Column<RefundLine>[] = [
    { key: 'amount', label: words.amount, cell: (row) => <Money cents={row.amountCents} /> },
    { key: 'state', label: words.state, cell: ({ state }) => <RefundBadge state={state} /> },
    {
      key: 'order',
      label: words.order,
      cell: ({ transaction }) => (
        // Only longer order numbers break.
        <Box display="inline-block" miw="10ch">
          {transaction?.orderId ?? words.noOrder}
          {transaction?.linkTitle && <Hint>{transaction.linkTitle}</Hint>}
        </Box>
      ),
    },
    ...(across
      ? [{ key: 'merchant', label: words.merchant, cell: (row: RefundLine) => row.merchant?.name ?? '–' }]
      : []),
    { key: 'account', label: words.account, cell: (row) => <Account row={row} /> },
    {
      key: 'reason',
      label: words.reason,
      wideOnly: true,
      cell: ({ reason }) => <Soft>{reason ?? ''}</Soft>,
    },
    {
      key: 'created',
      label: words.created,
      align: 'right',
      cell: ({ createdAt }) => <Time soft at={createdAt} as={across ? 'ago' : 'time'} />,
    },
  ];
  return (
    <Rows
      label={words.pages.refunds}
      rows={rows}
      rowKey={({ refundId }) => refundId}
      onRow={({ receiptId }) => onOpen(receiptId)}
      columns={columns}
    />
  );
}

function Account({ row: { transfer, state, iban, name, exportedAt } }: { readonly row: RefundLine }) {
  const words = useTexts(TEXTS);
  if (!transfer) return '–';
  if (state === 'awaiting_transfer' && (iban === null || name === null)) {
    return (
      <Text span c="var(--warn)" fw={600}>
        {iban === null ? words.noIban : words.noName}
      </Text>
    );
  }
  if (iban === null) return '–';
  return (
    <span>
      {words.iban(iban)}
      {exportedAt !== null && <Soft> {words.exported}</Soft>}
    </span>
  );
}
