import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeMachine } from './machine.ts';
import { type Options, readOptions } from './options.ts';
import { byKind, resultTables, verdict } from './report.ts';
import { checkout } from './scenarios/checkout.ts';
import { confirm } from './scenarios/confirm.ts';
import { deliveries } from './scenarios/deliveries.ts';
import { growth } from './scenarios/growth.ts';
import { INIT, onSqlite, STATUS } from './scenarios/http.ts';
import { isolation } from './scenarios/isolation.ts';
import { postgres } from './scenarios/postgres.ts';
import { processes } from './scenarios/processes.ts';
import { start } from './scenarios/start.ts';
import { progress, type Row } from './statistics.ts';

/** Each scenario measures in an empty folder. Throws when an answer is wrong or lost. */
const SCENARIOS: Readonly<Record<string, (folder: string, options: Options) => Promise<Row[]>>> = {
  init: (folder, options) => onSqlite(INIT, folder, options),
  status: (folder, options) => onSqlite(STATUS, folder, options),
  deliveries,
  confirm,
  isolation,
  checkout,
  growth,
  start,
  postgres,
  processes,
};

const startedAt = new Date().toISOString();
const options = readOptions(Object.keys(SCENARIOS));
const { rounds, seconds, rows, smoke, out } = options;
const folder = mkdtempSync(join(tmpdir(), 'bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const machine = describeMachine(folder);
print(machine.join('\n'));
const results: (Row & { scenario: string })[] = [];
for (const [scenario, measure] of Object.entries(SCENARIOS)) {
  if (!options.scenarios.includes(scenario)) continue;
  progress(scenario);
  const own = join(folder, scenario);
  mkdirSync(own);
  const measured = await measure(own, options);
  rmSync(own, { recursive: true });
  results.push(...measured.map((row) => ({ scenario, ...row })));
  print(`\n${resultTables(measured, !smoke)}`);
}
const tables = resultTables(results, !smoke);
print(`\n${tables}`);
const run = { startedAt, machine, settings: { rounds, seconds, rows }, judged: !smoke, ...byKind(results) };
mkdirSync(out, { recursive: true });
writeFileSync(join(out, 'bench.json'), `${JSON.stringify(run, null, 2)}\n`);
writeFileSync(join(out, 'bench.md'), `${tables}\n`);
print(`\nResults: ${out}/bench.json, bench.md`);
const missed = smoke ? [] : run.ratios.filter((ratio) => verdict(ratio) === 'FLOOR MISSED');
for (const { name } of missed) process.stderr.write(`Floor missed: ${name}\n`);
process.exitCode = missed.length === 0 ? 0 : 1;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
