import { useEffect, useLayoutEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { ChartDay } from '../../../overview/show.ts';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import css from './chart.module.css';
import { paidOn } from './lists.ts';
import { ticksFor } from './scale.ts';
import { TEXTS } from './texts.ts';

const HEIGHT = 220;
const ROOM = { top: 12, right: 4, bottom: 24, left: 64 };
const BAR_WIDTH_MAX = 34;
const LABEL_WIDTH = 64;

/** Returns the total of a day in cents. */
export const totalOf = (row: ChartDay) => row.mbwayCents + row.referenceCents;

/** A stacked bar chart, one bar per day; pointing at a day shows its figures above, a click lists its sales. */
export function BarChart({ series }: { readonly series: readonly ChartDay[] }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const [canvas, setCanvas] = useState<HTMLElement | null>(null);
  const [, navigate] = useLocation();
  const { merchantId } = useMerchant();
  const width = useWidth(canvas);
  const pointed = usePointed(canvas, series);
  const total = sum(series, totalOf);
  const count = sum(series, (row) => row.mbwayCount + row.referenceCount);
  const payments = words.payments(format.count(count), count === 1);
  return (
    <figure className={css.figure}>
      <ReadOut series={series} day={pointed} />
      <div ref={setCanvas} className={css.canvas} style={{ height: HEIGHT }}>
        {width > 0 && (
          <svg
            width={width}
            height={HEIGHT}
            role="img"
            aria-label={words.chartSummary(format.euro(total), payments, series.length)}
          >
            <Drawing
              series={series}
              width={width}
              pointed={pointed}
              onDay={(day) => navigate(paidOn(merchantId, day))}
            />
          </svg>
        )}
        {total === 0 && <p className={css.nothing}>{words.nothingYet}</p>}
      </div>
    </figure>
  );
}

/** Returns the current width of the element in pixels; 0 before it is mounted. */
function useWidth(element: HTMLElement | null): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (element === null) return;
    const measure = () => setWidth(Math.floor(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** The day under the pointer; the table shows the same figures. */
function usePointed(canvas: HTMLElement | null, series: readonly ChartDay[]): string | null {
  const [pointed, setPointed] = useState<string | null>(null);
  useEffect(() => {
    if (canvas === null) return;
    const point = (event: PointerEvent) => {
      const { left, width } = canvas.getBoundingClientRect();
      const share = (event.clientX - left - ROOM.left) / (width - ROOM.left - ROOM.right);
      setPointed(series[Math.floor(share * series.length)]?.day ?? null);
    };
    const leave = () => setPointed(null);
    canvas.addEventListener('pointermove', point);
    canvas.addEventListener('pointerdown', point);
    canvas.addEventListener('pointerleave', leave);
    return () => {
      canvas.removeEventListener('pointermove', point);
      canvas.removeEventListener('pointerdown', point);
      canvas.removeEventListener('pointerleave', leave);
    };
  }, [canvas, series]);
  return pointed;
}

/** The figures of the selected day or of the period; always two lines, to avoid layout shifts. */
function ReadOut({ series, day }: { readonly series: readonly ChartDay[]; readonly day: string | null }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const rows = day === null ? series : series.filter((row) => row.day === day);
  const count = sum(rows, (row) => row.mbwayCount + row.referenceCount);
  const legend = [
    [css.mbway, 'MB WAY', sum(rows, (row) => row.mbwayCents)],
    [css.reference, 'Multibanco', sum(rows, (row) => row.referenceCents)],
  ] as const;
  return (
    <figcaption className={css.readOut}>
      <span className={css.readTotal}>
        <strong>{format.euro(sum(rows, totalOf))}</strong>{' '}
        <span>
          {day === null ? words.inSpan(series.length) : format.day(day)} ·{' '}
          {words.payments(format.count(count), count === 1)}
        </span>
      </span>
      <span className={css.legend}>
        {legend.map(([colour, name, amount]) => (
          <span key={name} className={css.key}>
            <i className={colour} aria-hidden />
            {name} <b>{format.euro(amount)}</b>
          </span>
        ))}
      </span>
    </figcaption>
  );
}

interface DrawingProps {
  readonly series: readonly ChartDay[];
  readonly width: number;
  readonly pointed: string | null;
  readonly onDay: (day: string) => void;
}

function Drawing({ series, width, pointed, onDay }: DrawingProps) {
  const format = useFormat();
  const inner = { width: width - ROOM.left - ROOM.right, height: HEIGHT - ROOM.top - ROOM.bottom };
  const most = Math.max(...series.map(totalOf));
  const ticks = ticksFor(most);
  const top = ticks.at(-1) ?? 1;
  const y = (cents: number) => ROOM.top + inner.height * (1 - cents / top);
  const slot = inner.width / series.length;
  const bar = Math.min(BAR_WIDTH_MAX, slot * 0.72);
  // Labels are placed backwards from today, so that today has one.
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / slot));
  return (
    <>
      {(most === 0 ? [0] : ticks).map((tick) => (
        <g key={tick}>
          <line x1={ROOM.left} x2={width - ROOM.right} y1={y(tick)} y2={y(tick)} className={css.grid} />
          <text x={ROOM.left - 10} y={y(tick) + 4} textAnchor="end" className={css.axis}>
            {wholeEuros(format.euro(tick))}
          </text>
        </g>
      ))}
      {series.map((row, index) => {
        const left = ROOM.left + slot * index;
        const x = left + (slot - bar) / 2;
        const labelled = (series.length - 1 - index) % every === 0;
        const split = y(row.mbwayCents);
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: the table of the chart has the links for the keyboard
          <g key={row.day} className={css.day} onClick={() => onDay(row.day)}>
            <rect
              x={left}
              y={ROOM.top}
              width={slot}
              height={inner.height}
              className={pointed === row.day ? css.pointed : css.hit}
            />
            <rect x={x} y={split} width={bar} height={y(0) - split} className={css.mbwayBar} />
            <rect
              x={x}
              y={y(totalOf(row))}
              width={bar}
              height={Math.max(0, split - y(totalOf(row)) - (row.mbwayCents > 0 ? 1 : 0))}
              className={css.referenceBar}
            />
            {labelled && (
              <text
                x={index === series.length - 1 ? width - ROOM.right : left + slot / 2}
                y={HEIGHT - 6}
                textAnchor={index === series.length - 1 ? 'end' : 'middle'}
                className={css.axis}
              >
                {format.day(row.day, 'short')}
              </text>
            )}
          </g>
        );
      })}
    </>
  );
}

/** The axis uses whole euros. */
function wholeEuros(text: string): string {
  return text.replace(/[.,]00(?=\D*$)/, '');
}

function sum(rows: readonly ChartDay[], of: (row: ChartDay) => number): number {
  return rows.reduce((total, row) => total + of(row), 0);
}
