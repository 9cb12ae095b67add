import { Box, Text } from '@mantine/core';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { usePageMerchant } from '../../lib/session.ts';
import { type Column, Rows } from '../../ui/rows.tsx';
import { Time } from '../../ui/time.tsx';
import { RefundBadge } from './badge.tsx';
import css from './refunds.module.css';
import { TEXTS } from './texts.ts';
import type { RefundLine } from './types.ts';

interface Props {
  readonly rows: readonly RefundLine[];
  readonly onOpen: (receiptId: string) => void;
}

/** The list of refunds. */
export function RefundList({ rows, onOpen }: Props) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const across = usePageMerchant() === null;
  const columns: Column<RefundLine>[] = [
    {
      key: 'amount',
      label: words.amount,
      cell: ({ amountCents }) => (
        <Text span fw={640}>
          {format.euro(amountCents)}
        </Text>
      ),
    },
    { key: 'state', label: words.state, cell: ({ state }) => <RefundBadge state={state} /> },
    {
      key: 'order',
      label: words.order,
      cell: ({ transaction }) => (
        // Only longer order numbers break.
        <Box component="span" display="inline-block" miw="10ch">
          {transaction?.orderId ?? words.noOrder}
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
      cell: ({ reason }) => <span className={css.soft}>{reason ?? ''}</span>,
    },
    {
      key: 'created',
      label: words.created,
      align: 'right',
      cell: ({ createdAt }) => (
        <span className={css.soft}>
          <Time at={createdAt} as="ago" />
        </span>
      ),
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
      {exportedAt !== null && <span className={css.soft}> {words.exported}</span>}
    </span>
  );
}
