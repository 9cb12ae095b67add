import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Findings } from './contest.ts';
import type { Options } from './options.ts';
import { plotSvg } from './plot.ts';
import { markdownTable } from './verdict.ts';

/** What a run leaves behind. */
export interface Results {
  readonly startedAt: Date;
  readonly machine: readonly string[];
  readonly options: Options;
  readonly findings: readonly Findings[];
  /** Whether floors were judged. */
  readonly judged: boolean;
}

/** Writes `bench.json`, `bench.svg` and the table as `bench.md` into the folder that the options name. */
export function writeResults({ startedAt, machine, options, findings, judged }: Results): void {
  const { rounds, seconds, turns, connections, rows, due } = options;
  const settings = { rounds, seconds, turns, connections, rows, due };
  const ratios = findings.flatMap((found) => found.ratios);
  const figures = findings.flatMap((found) => found.figures);
  const json = { startedAt: startedAt.toISOString(), machine, settings, judged, ratios, figures };
  mkdirSync(options.out, { recursive: true });
  writeFileSync(join(options.out, 'bench.json'), `${JSON.stringify(json, null, 2)}\n`);
  writeFileSync(join(options.out, 'bench.md'), `${markdownTable(ratios)}\n`);
  const notes = [
    ...machine,
    `${rounds} rounds of ${seconds} s each, in turn, contests of requests in ${turns} times as many, as much shorter, isolation and growth in more; ${connections} connections`,
  ];
  writeFileSync(join(options.out, 'bench.svg'), plotSvg(ratios, notes));
}
