import { Anchor, Button, SegmentedControl, Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { ChartDay } from '../../../overview/show.ts';
import { type Addressed, useAddressState } from '../../lib/address.ts';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { usePhone } from '../../ui/phone.ts';
import hiding from '../../ui/unseen.module.css';
import css from './chart.module.css';
import { BarChart, totalOf } from './chart.tsx';
import { paidOn } from './lists.ts';
import { TEXTS } from './texts.ts';

const SPANS = [7, 30, 90] as const;
type Days = (typeof SPANS)[number];
const POLL_MS = 15_000;
const CHART_HEIGHT = 296;
const DAYS: Days = 30;

const VIEW: Addressed<{ readonly days: Days; readonly asTable: boolean }> = {
  read: (params) => ({
    days: SPANS.find((span) => String(span) === params.get('days')) ?? DAYS,
    asTable: params.get('view') === 'table',
  }),
  write: ({ days, asTable }) => ({
    days: days === DAYS ? null : String(days),
    view: asTable ? 'table' : null,
  }),
};

/** Sales by day, as a chart or a table. */
export function ChartCard() {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const { merchantId } = useMerchant();
  const [{ days, asTable }, setView] = useAddressState(VIEW);
  const query = useQuery(
    trpc.overview.series.queryOptions(
      { merchantId, days },
      { refetchInterval: POLL_MS, placeholderData: keepPreviousData },
    ),
  );
  return (
    <Card
      title={words.chart}
      actions={
        <div className={css.chartActions}>
          <SegmentedControl
            aria-label={words.span}
            size="xs"
            value={String(days)}
            onChange={(value) => setView({ days: Number(value) as Days, asTable })}
            data={SPANS.map((span) => ({ value: String(span), label: words.spanDays(span) }))}
          />
          <Button size="xs" variant="subtle" onClick={() => setView({ days, asTable: !asTable })}>
            {asTable ? words.asChart : words.asTable}
          </Button>
        </div>
      }
    >
      <Loaded query={query} skeleton={<Skeleton height={CHART_HEIGHT} radius="md" />}>
        {(series) => (
          <>
            {!asTable && <BarChart series={series} />}
            <DaysTable series={series} seen={asTable} />
          </>
        )}
      </Loaded>
    </Card>
  );
}

/** All days, newest first; available to screen readers when the chart is shown. */
function DaysTable({ series, seen }: { readonly series: readonly ChartDay[]; readonly seen: boolean }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const phone = usePhone();
  const { merchantId } = useMerchant();
  return (
    <div
      className={seen ? css.tableBox : hiding.unseen}
      {...(seen && { tabIndex: 0, role: 'region', 'aria-label': words.chart })}
    >
      <table className={css.days}>
        <caption className={hiding.unseen}>{words.chart}</caption>
        <thead>
          <tr>
            <th scope="col">{words.day}</th>
            <th scope="col">MB WAY</th>
            <th scope="col">Multibanco</th>
            <th scope="col">{words.total}</th>
            <th scope="col">{words.count}</th>
          </tr>
        </thead>
        <tbody>
          {series.toReversed().map((row) => (
            <tr key={row.day}>
              <th scope="row">
                {seen ? (
                  <Anchor component={Link} href={paidOn(merchantId, row.day)} inherit>
                    {format.day(row.day, ...(phone ? (['short'] as const) : []))}
                  </Anchor>
                ) : (
                  format.day(row.day)
                )}
              </th>
              <td>{format.euro(row.mbwayCents)}</td>
              <td>{format.euro(row.referenceCents)}</td>
              <td>{format.euro(totalOf(row))}</td>
              <td>{format.count(row.mbwayCount + row.referenceCount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
