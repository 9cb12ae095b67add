import { Box, Text } from '@mantine/core';
import type { Interval } from '../../../../kernel/day-interval.ts';
import type { Settlement, SettlementDay } from '../../../settlement/show.ts';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { Figures } from '../../ui/figures.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { TEXTS } from './texts.ts';

/** The sums of the period. */
export function Total({
  total,
  interval,
}: {
  readonly total: Settlement['total'];
  readonly interval: Interval;
}) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  return (
    <Figures
      label={words.total}
      heading={
        <Text component="h2" fw={640} mb={12}>
          {format.day(interval.from)} – {format.day(interval.to)}
        </Text>
      }
      items={[
        [words.gross, format.euro(total.grossCents)],
        [words.fees, format.euro(total.feeCents)],
        [words.pages.refunds, format.euro(total.refundCents)],
        [words.net, format.euro(total.netCents)],
      ]}
    >
      <Text mt={12} c="dimmed" fz="0.88rem">
        {words.rule}{' '}
        {total.unknownCount > 0 && words.unknown(format.count(total.unknownCount), total.unknownCount === 1)}{' '}
        {words.ofPayout}
      </Text>
    </Figures>
  );
}

/** One line for each day with payments or refunds. */
export function Days({ days }: { readonly days: readonly SettlementDay[] }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const columns: Column<SettlementDay>[] = [
    {
      key: 'day',
      label: words.day,
      cell: ({ day }) => (
        <Text span textWrap="nowrap">
          {format.day(day)}
        </Text>
      ),
    },
    {
      key: 'payments',
      label: words.payments,
      align: 'right',
      wideOnly: true,
      cell: ({ count }) => format.count(count),
    },
    { key: 'gross', label: words.gross, align: 'right', cell: (day) => format.euro(day.grossCents) },
    {
      key: 'fees',
      label: words.fees,
      align: 'right',
      cell: (day) => (isUnknown(day) ? '–' : <Known day={day} cents={day.feeCents} />),
    },
    {
      key: 'refunds',
      label: words.pages.refunds,
      align: 'right',
      cell: (day) => format.euro(day.refundCents),
    },
    {
      key: 'net',
      label: words.net,
      align: 'right',
      cell: (day) =>
        isUnknown(day) && day.refundCents === 0 ? '–' : <Known day={day} cents={day.netCents} />,
    },
    { key: 'payout', label: words.payout, cell: (day) => <Payout day={day} /> },
  ];
  return <Rows columns={columns} rows={days} rowKey={({ day }) => day} label={words.days} />;
}

/** A sum of the payments whose fees are known. */
function Known({ day: { unknownCount }, cents }: { readonly day: SettlementDay; readonly cents: number }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  return (
    <span>
      {format.euro(cents)}
      {unknownCount > 0 && (
        <Box component="small" display="block" c="dimmed" style={{ whiteSpace: 'normal' }}>
          {words.without(format.count(unknownCount), unknownCount === 1)}
        </Box>
      )}
    </span>
  );
}

/** Whether the fees of the day are not known yet. */
const isUnknown = (day: SettlementDay) => day.count > 0 && day.unknownCount === day.count;

function Payout({ day }: { readonly day: SettlementDay }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const { firstValueDate: first, lastValueDate: last } = day;
  if (first === null || last === null) return day.count === 0 ? '–' : words.unknownPayout;
  return first === last ? format.day(first) : `${format.day(first, 'short')} – ${format.day(last)}`;
}
