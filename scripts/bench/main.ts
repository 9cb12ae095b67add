import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeMachine } from './machine.ts';
import { chosen, readOptions } from './options.ts';
import { failures, resultTables, writeResults } from './report.ts';
import { checkout } from './scenarios/checkout.ts';
import { confirm } from './scenarios/confirm.ts';
import { deliveries } from './scenarios/deliveries.ts';
import { growth } from './scenarios/growth.ts';
import { init, status } from './scenarios/http.ts';
import { isolation } from './scenarios/isolation.ts';
import { postgres } from './scenarios/postgres.ts';
import { processes } from './scenarios/processes.ts';
import { start } from './scenarios/start.ts';
import { progress } from './statistics.ts';
import type { Figure, Ratio, Scenario } from './types.ts';

const SCENARIOS: readonly Scenario[] = [
  ...[init, status, deliveries, confirm],
  ...[isolation, checkout, growth, start, postgres, processes],
];

const startedAt = new Date().toISOString();
const options = readOptions();
const { rounds, seconds, connections, rows, smoke } = options;
const scenarios = chosen(SCENARIOS, options.scenarios);
const folder = mkdtempSync(join(tmpdir(), 'bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const machine = describeMachine(folder);
print(machine.join('\n'));
const ratios: Ratio[] = [];
const figures: Figure[] = [];
for (const [i, scenario] of scenarios.entries()) {
  progress(`${scenario.name} (${i + 1} of ${scenarios.length})`);
  const own = join(folder, scenario.name);
  mkdirSync(own);
  const result = await scenario.run(own, options);
  rmSync(own, { recursive: true });
  ratios.push(...result.ratios.map((ratio) => ({ scenario: scenario.name, ...ratio })));
  figures.push(...result.figures.map((figure) => ({ scenario: scenario.name, ...figure })));
  if (result.text !== undefined) print(`\n${result.text}`);
  print(`\n${resultTables(result.ratios, result.figures, !smoke)}`);
}
const tables = resultTables(ratios, figures, !smoke);
print(`\n${tables}`);
const settings = { rounds, seconds, connections, rows };
writeResults(options.out, { startedAt, machine, settings, judged: !smoke, ratios, figures }, tables);
print(`\nResults: ${options.out}/bench.json, bench.md`);
const failed = smoke ? [] : failures(ratios);
for (const line of failed) process.stderr.write(`${line}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
