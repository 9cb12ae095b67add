import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';

const RUN_MS_MAX = 280_000;
const SCENARIOS = [
  ...['init', 'status', 'deliveries', 'confirm', 'mixed'],
  ...['growth', 'memory', 'start', 'postgres'],
];

test('every scenario of the benchmark runs, verifies what it counted, and leaves its results; timings are not judged', () => {
  const out = temporaryFolder();
  const args = ['scripts/bench/main.ts', '--smoke', '--out', out];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: RUN_MS_MAX,
  });
  expect(status, `${stdout}\n${stderr}`).toBe(0);
  const { judged, ratios, figures } = JSON.parse(readFileSync(join(out, 'bench.json'), 'utf8'));
  expect(judged).toBe(false);
  const told = [...ratios, ...figures].map(({ scenario }: { scenario: string }) => scenario);
  expect(told).toEqual(expect.arrayContaining(SCENARIOS));
  expect(readFileSync(join(out, 'bench.svg'), 'utf8')).toContain('durable init, ours / limit');
});
