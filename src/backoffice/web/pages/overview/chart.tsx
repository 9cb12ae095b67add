import { Group } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { ChartDay } from '../../../overview/show.ts';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import { usePhone } from '../../ui/phone.ts';
import css from './chart.module.css';
import { paidOn } from './lists.ts';
import { TEXTS } from './texts.ts';

/** The smallest power of ten of the axis in cents. */
const EURO = 100;
const AXIS_STEPS = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];
const TICKS = [0, 0.5, 1];

/** Returns the total of a day in cents. */
export const totalOf = (row: ChartDay) => row.mbwayCents + row.referenceCents;

interface Props {
  readonly series: readonly ChartDay[];
}

/** A stacked bar for each day; pointing at one shows its figures above, a click lists its sales. */
export function BarChart({ series }: Props) {
  const words = useTexts(TEXTS);
  const format = useFormat();
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
      {most === 0 && <p className={css.nothing}>{words.nothingYet}</p>}
    </figure>
  );
}

/** The figures of the day that is pointed at, or of the period. */
function ReadOut({ series, pointed }: Props & { readonly pointed: ChartDay | null }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const rows = pointed === null ? series : [pointed];
  const sum = (of: (row: ChartDay) => number) => rows.reduce((total, row) => total + of(row), 0);
  const count = sum((row) => row.mbwayCount + row.referenceCount);
  return (
    <figcaption className={css.readOut}>
      <span className={css.readTotal}>
        <strong>{format.euro(sum(totalOf))}</strong>{' '}
        <span>
          {pointed === null ? words.inSpan(series.length) : format.day(pointed.day)} ·{' '}
          {words.payments(format.count(count), count === 1)}
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
