import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aligned, short } from './statistics.ts';
import type { Figure, Ratio, Threshold } from './types.ts';

/**
 * Returns all ratios, which are medians over the rounds, and figures of a run as tables in Markdown. With `applied` each ratio is
 * compared with its floor and target.
 */
export function resultTables(ratios: readonly Ratio[], figures: readonly Figure[], applied: boolean): string {
  const head = ['', 'Ratio', 'Lowest … highest', 'Floor', 'Target', 'Result'];
  const ratioRows = ratios.map((ratio) => cells(ratio, applied));
  const figureRows = figures.map(({ name, value, unit }) => [name, short(value), unit]);
  return [...table(head, ratioRows), ...table(['', 'Value', 'Unit'], figureRows)].join('\n\n');
}

/** Returns the table in Markdown; none without rows. */
function table(head: readonly string[], rows: readonly string[][]): string[] {
  if (rows.length === 0) return [];
  const lines = aligned([head, head.map(() => '---'), ...rows], ' | ');
  return [lines.map((line) => `|${line.slice(1)} |`).join('\n')];
}

/** Returns one line for each ratio that violates its floor. */
export function failures(ratios: readonly Ratio[]): string[] {
  return ratios.flatMap(({ name, median, threshold }) => {
    if (reaches(median, threshold, threshold.floor)) return [];
    const bound = threshold.better === 'lower' ? 'at most' : 'at least';
    return [`Floor missed: ${name} is ${short(median)}, ${bound} ${threshold.floor} is required`];
  });
}

/** Writes `bench.json`, and the tables as `bench.md`. */
export function writeResults(folder: string, results: object, tables: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'bench.json'), `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(join(folder, 'bench.md'), `${tables}\n`);
}

function cells({ name, median, min, max, threshold }: Ratio, applied: boolean): string[] {
  const row = [name, short(median), `${short(min)} … ${short(max)}`];
  const sign = threshold.better === 'higher' ? '≥' : '≤';
  const result = applied ? verdict(median, threshold) : 'not applied';
  return [...row, `${sign} ${threshold.floor}`, `${sign} ${threshold.target}`, result];
}

function verdict(median: number, threshold: Threshold): string {
  if (!reaches(median, threshold, threshold.floor)) return 'FLOOR MISSED';
  return reaches(median, threshold, threshold.target) ? 'target' : 'pass';
}

function reaches(value: number, { better }: Threshold, mark: number): boolean {
  return better === 'higher' ? value >= mark : value <= mark;
}
