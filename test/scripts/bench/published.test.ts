import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Ratio } from '../../../scripts/bench/contest.ts';
import { markdownTable } from '../../../scripts/bench/verdict.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDER = 'scripts/bench/published';
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test('README shows the table of the run that is kept, whole, with its machine', () => {
  const { judged, machine, ratios } = JSON.parse(read(`${FOLDER}/bench.json`)) as {
    judged: boolean;
    machine: string[];
    ratios: Ratio[];
  };
  const readme = read('README.md');
  expect(judged).toBe(true);
  expect(readme).toContain(markdownTable(ratios));
  for (const line of machine.slice(0, 2)) expect(readme).toContain(line);
});

test('README shows the plot of that run', () => {
  expect(read('README.md')).toContain(`${FOLDER}/bench.svg`);
  expect(read(`${FOLDER}/bench.svg`)).toContain('durable init, ours / limit');
});
