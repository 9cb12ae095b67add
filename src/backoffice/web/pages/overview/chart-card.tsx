import { Anchor, Group, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { ChartDay } from '../../../overview/show.ts';
import { type Addressed, useAddressState } from '../../lib/address.ts';
import { format } from '../../lib/format.ts';
import { useMerchant } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { usePhone } from '../../ui/phone.ts';
import css from './chart.module.css';
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
      title={TEXTS.chart}
      actions={
        <SegmentedControl
          aria-label={TEXTS.span}
          size="xs"
          value={days}
          onChange={setDays}
          data={SPANS.map((value) => ({ value, label: TEXTS.spanDays(value) }))}
        />
      }
    >
      <Loaded query={query} skeleton={<Skeleton height={CHART_HEIGHT} radius="md" />}>
        {(series) => (
          <>
            <BarChart series={series} />
            <details className={css.table}>
              <summary>{TEXTS.asTable}</summary>
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
  const { merchantId } = useMerchant();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard can only scroll what it can reach
    <section className={css.tableBox} aria-label={TEXTS.asTable} tabIndex={0}>
      <table className={css.days} aria-label={TEXTS.chart}>
        <thead>
          <tr>
            <th scope="col">{TEXTS.day}</th>
            <th scope="col">MB WAY</th>
            <th scope="col">Multibanco</th>
            <th scope="col">{TEXTS.total}</th>
            <th scope="col">{TEXTS.count}</th>
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

/** The smallest power of ten of the axis in cents. */
const EURO = 100;
const AXIS_STEPS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];
const TICKS = [0, 0.5, 1];

const totalOf = (row: ChartDay) => row.mbwayCents + row.referenceCents;

interface Props {
  readonly series: readonly ChartDay[];
}

/** A stacked bar for each day; pointing at one shows its figures above, a click lists its sales. */
function BarChart({ series }: Props) {
  const [, navigate] = useLocation();
  const { merchantId } = useMerchant();
  const [pointed, setPointed] = useState<ChartDay | null>(null);
  const labelEvery = Math.ceil(series.length / (usePhone() ? 4 : 10));
  const most = Math.max(...series.map(totalOf));
  const top = axisEnd(most);
  const percent = (cents: number) => `${(100 * cents) / top}%`;
  return (
    <figure className={css.figure} onPointerLeave={() => setPointed(null)}>
      <ReadOut series={series} pointed={pointed} />
      {/* The table of the days has the same figures and links. */}
      <div className={css.plot} aria-hidden>
        {TICKS.map((share) => (
          <span key={share} className={css.tick} style={{ bottom: percent(share * top) }}>
            {/* The axis uses whole euros. */}
            {most > 0 && <span>{format.euro(share * top).replace(/[.,]00(?=\D*$)/, '')}</span>}
          </span>
        ))}
        {series.map((row, index) => (
          // biome-ignore lint/a11y: the table of the days has the links for the keyboard
          <div
            key={row.day}
            className={css.bar}
            onPointerEnter={() => setPointed(row)}
            onClick={() => navigate(paidOn(merchantId, row.day))}
          >
            <span className={css.mbway} style={{ height: percent(row.mbwayCents) }} />
            <span className={css.reference} style={{ height: percent(row.referenceCents) }} />
            {(series.length - 1 - index) % labelEvery === 0 && <small>{format.day(row.day, 'short')}</small>}
          </div>
        ))}
      </div>
      {most === 0 && <p className={css.nothing}>{TEXTS.nothingYet}</p>}
    </figure>
  );
}

/** The figures of the day that is pointed at, or of the period. */
function ReadOut({ series, pointed }: Props & { readonly pointed: ChartDay | null }) {
  const rows = pointed === null ? series : [pointed];
  const sum = (of: (row: ChartDay) => number) => rows.reduce((total, row) => total + of(row), 0);
  const count = sum((row) => row.mbwayCount + row.referenceCount);
  return (
    <figcaption className={css.readOut}>
      <span>
        <Text component="strong" mr={4} fz="1.15rem" fw={660} c="var(--ink)">
          {format.euro(sum(totalOf))}
        </Text>{' '}
        <span>
          {pointed === null ? TEXTS.inSpan(series.length) : format.day(pointed.day)} ·{' '}
          {TEXTS.payments(format.count(count), count === 1)}
        </span>
      </span>
      <Group component="span" align="stretch" gap="2px 18px">
        <span className={css.key}>
          <i className={css.mbway} aria-hidden />
          MB WAY <b>{format.euro(sum((row) => row.mbwayCents))}</b>
        </span>
        <span className={css.key}>
          <i className={css.reference} aria-hidden />
          Multibanco <b>{format.euro(sum((row) => row.referenceCents))}</b>
        </span>
      </Group>
    </figcaption>
  );
}

/** Returns the end of the axis in cents: a round sum of euros that is at least `cents`. */
function axisEnd(cents: number): number {
  const power = Math.max(EURO, 10 ** Math.floor(Math.log10(cents)));
  return power * (AXIS_STEPS.find((step) => step * power >= cents) ?? 1);
}
