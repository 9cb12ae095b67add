import { short } from './statistics.ts';
import type { Figure, Ratio, Row, Threshold } from './types.ts';

/** Separates the ratios from the figures. */
export function byKind(rows: readonly Row[]) {
  return {
    ratios: rows.filter((row): row is Ratio => 'floor' in row),
    figures: rows.filter((row): row is Figure => 'unit' in row),
  };
}

/**
 * Returns all ratios, which are medians over the rounds, and figures of a run as tables in Markdown. With `applied` each ratio is
 * compared with its floor and target.
 */
export function resultTables(rows: readonly Row[], applied: boolean): string {
  const { ratios, figures } = byKind(rows);
  const head = ['', 'Ratio', 'Lowest … highest', 'Floor', 'Target', 'Result'];
  const ratioRows = ratios.map((ratio) => cells(ratio, applied));
  const figureRows = figures.map(({ name, value, unit, details = '' }) => [
    name,
    short(value),
    unit,
    details,
  ]);
  return [...table(head, ratioRows), ...table(['', 'Value', 'Unit', 'Details'], figureRows)].join('\n\n');
}

/** Returns the table in Markdown, with aligned columns; none without rows. */
function table(head: readonly string[], rows: readonly string[][]): string[] {
  if (rows.length === 0) return [];
  const all = [head, head.map(() => '---'), ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ');
  return [all.map((row) => `| ${line(row)} |`).join('\n')];
}

/** Returns one line for each ratio that violates its floor. */
export function failures(rows: readonly Row[]): string[] {
  return byKind(rows).ratios.flatMap((ratio) => {
    const { name, median, better, floor } = ratio;
    if (reaches(median, ratio, floor)) return [];
    const bound = better === 'lower' ? 'at most' : 'at least';
    return [`Floor missed: ${name} is ${short(median)}, ${bound} ${floor} is required`];
  });
}

function cells(ratio: Ratio, applied: boolean): string[] {
  const { name, median, min, max, better, floor, target } = ratio;
  const sign = better === 'higher' ? '≥' : '≤';
  const result = applied ? verdict(median, ratio) : 'not applied';
  return [
    name,
    short(median),
    `${short(min)} … ${short(max)}`,
    `${sign} ${floor}`,
    `${sign} ${target}`,
    result,
  ];
}

function verdict(median: number, threshold: Threshold): string {
  if (!reaches(median, threshold, threshold.floor)) return 'FLOOR MISSED';
  return reaches(median, threshold, threshold.target) ? 'target' : 'pass';
}

function reaches(value: number, { better }: Threshold, mark: number): boolean {
  return better === 'higher' ? value >= mark : value <= mark;
}
