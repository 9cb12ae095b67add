import type { Bar, Figure, Ratio } from './contest.ts';
import { aligned, short } from './text.ts';

const COLUMNS = ['', 'ratio', 'lowest … highest', 'floor', 'target', ''];

/** Whether the median is on the right side of the floor. */
function holds({ median, bar }: Ratio): boolean {
  return bar === null || reaches(median, bar, bar.floor);
}

function reaches(value: number, { better }: Bar, mark: number): boolean {
  return better === 'higher' ? value >= mark : value <= mark;
}

/** The comparisons of a run as a table; without `judged` nothing is said about floors and targets. */
export function verdictTable(ratios: readonly Ratio[], figures: readonly Figure[], judged: boolean): string {
  const rows = ratios.map((ratio) => [
    ratio.name,
    short(ratio.median),
    `${short(ratio.min)} … ${short(ratio.max)}`,
    ...(ratio.bar === null ? ['', '', ''] : marks(ratio, ratio.bar, judged)),
  ]);
  const told = figures.map(({ name, value, unit }) => [name, short(value), unit]);
  const tables = [
    ...(rows.length === 0 ? [] : [['Ratios: medians over the rounds', ...aligned([COLUMNS, ...rows])]]),
    ...(told.length === 0 ? [] : [['Figures of this machine', ...aligned(told)]]),
  ];
  return tables.map((lines) => lines.join('\n')).join('\n\n');
}

/** The same as Markdown, for a page that shows a judged run. */
export function markdownTable(ratios: readonly Ratio[]): string {
  const rows = ratios.map((ratio) => {
    const { name, median, min, max, bar } = ratio;
    const asked = bar === null ? ['', '', ''] : marks(ratio, bar, true);
    return `| ${[name, short(median), `${short(min)} … ${short(max)}`, ...asked].join(' | ')} |`;
  });
  return [
    '| | Ratio | Lowest … highest | Floor | Target | Reached |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function marks(ratio: Ratio, bar: Bar, judged: boolean): string[] {
  const sign = bar.better === 'higher' ? '≥' : '≤';
  const word = !holds(ratio) ? 'BELOW ITS FLOOR' : reaches(ratio.median, bar, bar.target) ? 'target' : 'pass';
  return [`${sign} ${bar.floor}`, `${sign} ${bar.target}`, judged ? word : 'not judged'];
}

/** One line for each comparison that is on the wrong side of its floor. */
export function failures(ratios: readonly Ratio[]): string[] {
  return ratios
    .filter((ratio) => !holds(ratio))
    .map(({ name, median, min, max, bar }) => {
      const side = bar?.better === 'lower' ? 'at most' : 'at least';
      return `Below its floor: ${name}: ${short(median)} (${short(min)} … ${short(max)}), ${side} ${bar?.floor} is asked`;
    });
}
