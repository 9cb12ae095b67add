import { expect, test } from 'vitest';
import type { Ratio } from '../../../scripts/bench/contest.ts';
import { plotSvg } from '../../../scripts/bench/plot.ts';
import { failures, verdictTable } from '../../../scripts/bench/verdict.ts';

const higher: Ratio = {
  scenario: 'init',
  name: 'durable init, ours / limit',
  median: 0.5,
  min: 0.3,
  max: 0.7,
  bar: { better: 'higher', floor: 0.4, target: 0.6 },
};
const lower: Ratio = {
  ...higher,
  scenario: 'growth',
  name: 'p99 of 10⁷ rows / 10⁴ rows',
  bar: { better: 'lower', floor: 1.3, target: 1.1 },
};

test('a median on the wrong side of its floor is named, whichever side is better', () => {
  expect(failures([higher, { ...lower, median: 1.2 }])).toEqual([]);
  expect(failures([{ ...higher, median: 0.39 }])).toEqual([
    'Below its floor: durable init, ours / limit: 0.39 (0.30 … 0.70), at least 0.4 is asked',
  ]);
  expect(failures([{ ...lower, median: 1.31 }])).toEqual([
    'Below its floor: p99 of 10⁷ rows / 10⁴ rows: 1.31 (0.30 … 0.70), at most 1.3 is asked',
  ]);
});

test('a comparison that could not be measured does not pass', () => {
  expect(failures([{ ...higher, median: Number.NaN }])).toHaveLength(1);
  expect(failures([{ ...lower, median: Number.NaN }])).toHaveLength(1);
});

test('one without a floor is shown and never fails; the table says which reached their target', () => {
  expect(failures([{ ...higher, median: 0.01, bar: null }])).toEqual([]);
  const table = verdictTable([higher, { ...lower, median: 1.05 }], [], true);
  expect(table).toMatch(/ours \/ limit\s+0\.50\s+0\.30 … 0\.70\s+≥ 0\.4\s+≥ 0\.6\s+pass/);
  expect(table).toMatch(/10⁴ rows\s+1\.05\s+0\.30 … 0\.70\s+≤ 1\.3\s+≤ 1\.1\s+target/);
});

test('the plot draws what passes and what does not apart, and escapes what it writes', () => {
  const svg = plotSvg([higher, { ...lower, name: 'a < b & c', median: 2 }], ['2 × processor']);
  expect(svg).toContain('class="good"');
  expect(svg).toContain('class="bad"');
  expect(svg).toContain('a &lt; b &amp; c');
});
