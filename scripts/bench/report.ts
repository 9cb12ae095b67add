import { type Figure, type Ratio, type Row, short } from './statistics.ts';

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
  const figureRows = figures.map(({ details = '', ...figure }) => {
    return [figure.name, short(figure.value), figure.unit, details];
  });
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

export function verdict({ median, better, floor, target }: Ratio): 'target' | 'pass' | 'FLOOR MISSED' {
  const reaches = (mark: number) => (better === 'higher' ? median >= mark : median <= mark);
  if (!reaches(floor)) return 'FLOOR MISSED';
  return reaches(target) ? 'target' : 'pass';
}

function cells(ratio: Ratio, applied: boolean): string[] {
  const { name, median, min, max, better, floor, target } = ratio;
  const sign = better === 'higher' ? '≥' : '≤';
  const range = `${short(min)} … ${short(max)}`;
  const result = applied ? verdict(ratio) : 'not applied';
  return [name, short(median), range, `${sign} ${floor}`, `${sign} ${target}`, result];
}
