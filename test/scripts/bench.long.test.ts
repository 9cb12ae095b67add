import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';

const RUN_MS_MAX = 280_000;
const SCENARIOS = [
  ...['init', 'status', 'deliveries', 'confirm', 'mixed', 'isolation'],
  ...['growth', 'memory', 'start', 'postgres'],
];

/** Whose ratios are of times that were measured one by one. */
const LATENCIES = ['confirm', 'isolation', 'growth'];

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
  // Of a moment on a slow machine a rate may be 0, and a share of it no number; a latency never is.
  for (const { value } of figures) expect(value).toEqual(expect.any(Number));
  const latencies = ratios.filter(({ scenario }: { scenario: string }) => LATENCIES.includes(scenario));
  expect(latencies.length).toBeGreaterThanOrEqual(LATENCIES.length);
  for (const { median } of latencies) expect(median).toBeGreaterThan(0);
  expect(readFileSync(join(out, 'bench.svg'), 'utf8')).toContain('durable init, ours / limit');
});
