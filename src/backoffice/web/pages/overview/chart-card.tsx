import { Anchor, SegmentedControl, Skeleton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { ChartDay } from '../../../overview/show.ts';
import { type Addressed, useAddressState } from '../../lib/address.ts';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import css from './chart.module.css';
import { BarChart, totalOf } from './chart.tsx';
import { paidOn } from './lists.ts';
import { TEXTS } from './texts.ts';

const POLL_MS = 15_000;
const CHART_HEIGHT = 296;
const SPANS = [7, 30, 90] as const;

const SPAN: Addressed<(typeof SPANS)[number]> = {
  read: (params) => SPANS.find((span) => String(span) === params.get('days')) ?? 30,
  write: (days) => ({ days: days === 30 ? null : String(days) }),
};

/** Sales by day, as a chart and a table. */
export function ChartCard() {
  const words = useTexts(TEXTS);
  const { merchantId } = useMerchant();
  const [days, setDays] = useAddressState(SPAN);
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
        <SegmentedControl
          aria-label={words.span}
          size="xs"
          value={days}
          onChange={setDays}
          data={SPANS.map((value) => ({ value, label: words.spanDays(value) }))}
        />
      }
    >
      <Loaded query={query} skeleton={<Skeleton height={CHART_HEIGHT} radius="md" />}>
        {(series) => (
          <>
            <BarChart series={series} />
            <details className={css.table}>
              <summary>{words.asTable}</summary>
              <DaysTable series={series} />
            </details>
          </>
        )}
      </Loaded>
    </Card>
  );
}

/** All days, newest first. */
function DaysTable({ series }: { readonly series: readonly ChartDay[] }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const { merchantId } = useMerchant();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard can only scroll what it can reach
    <section className={css.tableBox} aria-label={words.asTable} tabIndex={0}>
      <table className={css.days} aria-label={words.chart}>
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
                <Anchor component={Link} href={paidOn(merchantId, row.day)} inherit>
                  {format.day(row.day, 'short')}
                </Anchor>
              </th>
              <td>{format.euro(row.mbwayCents)}</td>
              <td>{format.euro(row.referenceCents)}</td>
              <td>{format.euro(totalOf(row))}</td>
              <td>{format.count(row.mbwayCount + row.referenceCount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
