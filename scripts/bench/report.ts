import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Options } from './options.ts';
import { aligned, short } from './statistics.ts';
import type { Figure, Ratio, Threshold } from './types.ts';

const COLUMNS = ['', 'ratio', 'lowest … highest', 'floor', 'target', ''];

/** Returns all ratios and figures of a run as tables. With `applied` each ratio is compared with its floor and target. */
export function resultTables(ratios: readonly Ratio[], figures: readonly Figure[], applied: boolean): string {
  const ratioRows = ratios.map((ratio) => cells(ratio, applied));
  const figureRows = figures.map(({ name, value, unit }) => [name, short(value), unit]);
  return [
    ...['Ratios: medians over the rounds', ...aligned([COLUMNS, ...ratioRows])],
    ...['', 'Figures of this machine', ...aligned(figureRows)],
  ].join('\n');
}

/** Returns one line for each ratio that violates its floor. */
export function failures(ratios: readonly Ratio[]): string[] {
  return ratios.flatMap(({ name, median, threshold }) => {
    if (threshold === null || reaches(median, threshold, threshold.floor)) return [];
    const bound = threshold.better === 'lower' ? 'at most' : 'at least';
    return [`Floor missed: ${name} is ${short(median)}, ${bound} ${threshold.floor} is required`];
  });
}

export interface RunResults {
  readonly startedAt: Date;
  readonly machine: readonly string[];
  readonly options: Options;
  readonly ratios: readonly Ratio[];
  readonly figures: readonly Figure[];
}

/** Writes `bench.json` and the tables as `bench.md`. */
export function writeResults({ startedAt, machine, options, ratios, figures }: RunResults): void {
  const { rounds, seconds, connections, rows, smoke } = options;
  const settings = { rounds, seconds, connections, rows };
  const json = { startedAt: startedAt.toISOString(), machine, settings, judged: !smoke, ratios, figures };
  mkdirSync(options.out, { recursive: true });
  writeFileSync(join(options.out, 'bench.json'), `${JSON.stringify(json, null, 2)}\n`);
  writeFileSync(join(options.out, 'bench.md'), `${markdown(ratios, figures)}\n`);
}

function markdown(ratios: readonly Ratio[], figures: readonly Figure[]): string {
  const line = (row: readonly string[]) => `| ${row.join(' | ')} |`;
  return [
    '| | Ratio | Lowest … highest | Floor | Target | Result |',
    '|---|---|---|---|---|---|',
    ...ratios.map((ratio) => line(cells(ratio, true))),
    '',
    '| | Value | Unit |',
    '|---|---|---|',
    ...figures.map(({ name, value, unit }) => line([name, short(value), unit])),
  ].join('\n');
}

function cells({ name, median, min, max, threshold }: Ratio, applied: boolean): string[] {
  const row = [name, short(median), `${short(min)} … ${short(max)}`];
  if (threshold === null) return [...row, '', '', ''];
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
