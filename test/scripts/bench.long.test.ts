import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';

const RUN_MS_MAX = 280_000;
/** Without `processes`, which starts the programs of `postgres` with less processor time. */
const SCENARIOS = [
  ...['init', 'status', 'deliveries', 'confirm', 'isolation', 'checkout', 'growth', 'start', 'postgres'],
];

test('every benchmark scenario runs, verifies its answers and writes its results', () => {
  const out = temporaryFolder();
  const args = ['scripts/bench/main.ts', '--smoke', '--scenarios', SCENARIOS.join(), '--out', out];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: RUN_MS_MAX,
  });
  expect(status, `${stdout}\n${stderr}`).toBe(0);
  const { ratios, figures } = JSON.parse(readFileSync(join(out, 'bench.json'), 'utf8'));
  const measured = [...ratios, ...figures].map(({ scenario }: { scenario: string }) => scenario);
  expect(measured).toEqual(expect.arrayContaining(SCENARIOS));
  expect(readFileSync(join(out, 'bench.md'), 'utf8')).toContain('init, ours / limit');
});
