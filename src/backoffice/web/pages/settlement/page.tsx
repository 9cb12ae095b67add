import { Box, NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Interval, intervalFault } from '../../../../kernel/day-interval.ts';
import { dayAfter, lisbonDay } from '../../../../kernel/lisbon.ts';
import type { Settlement, SettlementDay } from '../../../settlement/show.ts';
import { type Addressed, addressOf, day, useAddressState } from '../../lib/address.ts';
import { format } from '../../lib/format.ts';
import { currentLanguage } from '../../lib/i18n.ts';
import { useMerchant, useSession } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { DayField } from '../../ui/day-field.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { Figures } from '../../ui/figures.tsx';
import { Empty, LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { Hint } from '../../ui/soft.tsx';
import css from './settlement.module.css';
import { TEXTS } from './texts.ts';

/** The money that the merchant received, paid in fees and refunded on each day of a period. */
export default function SettlementPage() {
  const { merchantId } = useMerchant();
  const operator = useSession().user?.operator === true;
  const [interval, setInterval] = useAddressState(INTERVAL);
  const isValid = intervalFault(interval) === null;
  const file = new URLSearchParams({ merchantId, ...interval, language: currentLanguage() });
  return (
    <Page
      title={TEXTS.pages.settlement}
      description={operator ? `${TEXTS.description} ${TEXTS.heldIncluded}` : TEXTS.description}
      actions={
        isValid && (
          <DownloadButton href={`/backoffice/export/settlement.csv?${file}`}>{TEXTS.csv}</DownloadButton>
        )
      }
    >
      <PeriodFields interval={interval} onChange={setInterval} />
      {isValid && <Shown interval={interval} />}
    </Page>
  );
}

function Shown({ interval }: { readonly interval: Interval }) {
  const { merchantId } = useMerchant();
  const query = useQuery(trpc.settlement.show.queryOptions({ merchantId, ...interval }));
  return (
    <Loaded
      query={query}
      empty={({ days }) => (days.length === 0 ? <Empty title={TEXTS.none}>{TEXTS.noneWhy}</Empty> : null)}
      skeleton={<LinesSkeleton lines={10} />}
    >
      {({ total, days }) => (
        <>
          <Total total={total} interval={interval} />
          <Days days={days} />
        </>
      )}
    </Loaded>
  );
}

interface Props {
  readonly interval: Interval;
  readonly onChange: (interval: Interval) => void;
}

/** The period of the settlement: a month, or chosen days. */
function PeriodFields({ interval, onChange }: Props) {
  const [choosing, setChoosing] = useState(false);
  const { from, to } = interval;
  const period = choosing ? 'chosen' : periodOf(interval);
  const fault = intervalFault(interval);
  const choose = (next: Period) => {
    setChoosing(next === 'chosen');
    if (next !== 'chosen') onChange(monthDays(next));
  };
  return (
    <search className={css.filters}>
      <NativeSelect
        label={TEXTS.period}
        value={period}
        onChange={(event) => choose(event.currentTarget.value as Period)}
        data={(['thisMonth', 'lastMonth', 'chosen'] as const).map((value) => ({
          value,
          label: TEXTS[value],
        }))}
      />
      {period === 'chosen' && (
        <>
          <DayField
            required
            label={TEXTS.from}
            value={from}
            onChange={(day) => onChange({ from: day, to })}
          />
          <DayField
            required
            label={TEXTS.to}
            value={to}
            error={fault === null ? undefined : TEXTS.faults[fault]}
            onChange={(day) => onChange({ from, to: day })}
          />
        </>
      )}
    </search>
  );
}

type Period = 'thisMonth' | 'lastMonth' | 'chosen';

/** Returns the days of a month; those of this month end today. */
function monthDays(period: 'thisMonth' | 'lastMonth'): Interval {
  const today = lisbonDay(Date.now());
  const first = firstOfMonth(today);
  if (period === 'thisMonth') return { from: first, to: today };
  const to = dayAfter(first, -1);
  return { from: firstOfMonth(to), to };
}

const firstOfMonth = (day: string) => `${day.slice(0, 8)}01`;

/** Returns the period that the days represent. */
function periodOf({ from, to }: Interval): Period {
  const known = (['thisMonth', 'lastMonth'] as const).find((period) => {
    const days = monthDays(period);
    return days.from === from && days.to === to;
  });
  return known ?? 'chosen';
}

const DAYS = addressOf({ from: day('from'), to: day('to') });

/** The days in the URL; without any, the days of this month. */
const INTERVAL: Addressed<Interval> = {
  read: (params) => {
    const month = monthDays('thisMonth');
    const { from, to } = DAYS.read(params);
    return { from: from || month.from, to: to || month.to };
  },
  write: (interval) => (periodOf(interval) === 'thisMonth' ? { from: null, to: null } : { ...interval }),
};

function Total({ total, interval }: { readonly total: Settlement['total']; readonly interval: Interval }) {
  const { unknownFeeCount: unknownFees } = total;
  const feesOnly = total.unknownCount - unknownFees;
  return (
    <Figures
      label={TEXTS.total}
      heading={
        <Text component="h2" fw={640} mb={12}>
          {format.day(interval.from)} – {format.day(interval.to)}
        </Text>
      }
      items={[
        [TEXTS.gross, format.euro(total.grossCents)],
        [TEXTS.fees, format.euro(total.feeCents)],
        [TEXTS.pages.refunds, format.euro(total.refundCents)],
        [TEXTS.net, format.euro(total.netCents)],
      ]}
    >
      <Hint mt={12}>
        {TEXTS.rule} {unknownFees > 0 && TEXTS.unknown(format.count(unknownFees), unknownFees === 1)}{' '}
        {feesOnly > 0 && TEXTS.feesOnly(format.count(feesOnly), feesOnly === 1)} {TEXTS.ofPayout}
      </Hint>
    </Figures>
  );
}

/** One line for each day with payments or refunds. */
function Days({ days }: { readonly days: readonly SettlementDay[] }) {
  const columns: Column<SettlementDay>[] = [
    {
      key: 'day',
      label: TEXTS.day,
      cell: ({ day }) => (
        <Text span textWrap="nowrap">
          {format.day(day)}
        </Text>
      ),
    },
    {
      key: 'payments',
      label: TEXTS.payments,
      align: 'right',
      wideOnly: true,
      cell: ({ count }) => format.count(count),
    },
    { key: 'gross', label: TEXTS.gross, align: 'right', cell: (day) => format.euro(day.grossCents) },
    {
      key: 'fees',
      label: TEXTS.fees,
      align: 'right',
      cell: ({ count, unknownFeeCount, feeCents }) =>
        isUnknown(count, unknownFeeCount) ? '–' : <Known unknown={unknownFeeCount} cents={feeCents} />,
    },
    {
      key: 'refunds',
      label: TEXTS.pages.refunds,
      align: 'right',
      cell: (day) => format.euro(day.refundCents),
    },
    {
      key: 'net',
      label: TEXTS.net,
      align: 'right',
      cell: ({ count, unknownCount, netCents, refundCents }) =>
        isUnknown(count, unknownCount) && refundCents === 0 ? (
          '–'
        ) : (
          <Known unknown={unknownCount} cents={netCents} />
        ),
    },
    { key: 'payout', label: TEXTS.payout, cell: (day) => <Payout day={day} /> },
  ];
  return <Rows columns={columns} rows={days} rowKey={({ day }) => day} label={TEXTS.days} />;
}

/** A sum without the payments whose amount is unknown. */
function Known({ unknown, cents }: { readonly unknown: number; readonly cents: number }) {
  return (
    <span>
      {format.euro(cents)}
      {unknown > 0 && (
        <Box component="small" display="block" c="dimmed" style={{ whiteSpace: 'normal' }}>
          {TEXTS.without(format.count(unknown), unknown === 1)}
        </Box>
      )}
    </span>
  );
}

/** Whether nothing is known of any payment of the day. */
const isUnknown = (count: number, unknown: number) => count > 0 && unknown === count;

function Payout({ day }: { readonly day: SettlementDay }) {
  const { firstValueDate: first, lastValueDate: last } = day;
  if (first === null || last === null) return day.count === 0 ? '–' : TEXTS.unknownPayout;
  return first === last ? format.day(first) : `${format.day(first, 'short')} – ${format.day(last)}`;
}
