import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BenchError, type Experiment, type Findings, type Peer, type Scenario } from './contest.ts';
import { host } from './host.ts';
import { describeMachine } from './machine.ts';
import { type Options, readOptions } from './options.ts';
import { installPeers, peersInstalled } from './packages.ts';
import { express, plain, stock } from './peers/common.ts';
import { limit } from './peers/limit.ts';
import { ours, oursInfo } from './peers/ours.ts';
import { progress } from './progress.ts';
import { contestFindings } from './report.ts';
import { writeResults } from './results.ts';
import { runScenario } from './runner.ts';
import { confirm } from './scenarios/confirm.ts';
import { deliveries } from './scenarios/deliveries.ts';
import { growth } from './scenarios/growth.ts';
import { init } from './scenarios/init.ts';
import { isolation } from './scenarios/isolation.ts';
import { memory } from './scenarios/memory.ts';
import { mixed } from './scenarios/mixed.ts';
import { postgres } from './scenarios/postgres.ts';
import { start } from './scenarios/start.ts';
import { status } from './scenarios/status.ts';
import { failures, verdictTable } from './verdict.ts';

const SCENARIOS: readonly (Scenario | Experiment)[] = [
  ...[init, status, deliveries, confirm, mixed],
  ...[isolation, growth, memory, start, postgres],
];
const PEERS: readonly Peer[] = [ours, oursInfo, limit, plain, stock, express];

try {
  await bench(readOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof BenchError)) throw error;
  process.stderr.write(`The benchmark failed, its figures do not count. ${error.message}\n`);
  // At once: a half-driven server may still hold connections.
  process.exit(1);
}

async function bench(options: Options): Promise<void> {
  const startedAt = new Date();
  const scenarios = named(SCENARIOS, options.scenarios ?? SCENARIOS.map(({ name }) => name));
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  readyPeers(scenarios, options);

  host.watch();
  const machine = describeMachine(folder);
  say(machine.join('\n'));
  const findings: Findings[] = [];
  for (const scenario of scenarios) {
    progress(`${scenario.name} (${findings.length + 1} of ${scenarios.length})`);
    const found = await run(scenario, folder, options);
    findings.push(found);
    say(`\n${found.text}`);
  }
  conclude(findings, !options.smoke);
  machine.push(host.summary());
  say(`\n${machine.at(-1)}`);
  writeResults({ startedAt, machine, options, findings, judged: !options.smoke });
  say(`\nWritten to ${options.out}: bench.json, bench.md, bench.svg`);
}

async function run(scenario: Scenario | Experiment, folder: string, options: Options): Promise<Findings> {
  if ('run' in scenario) {
    const found = await scenario.run(folder, options);
    return typeof found === 'string' ? { text: found, ratios: [], figures: [] } : found;
  }
  const peers = peersOf(scenario, options).filter(({ packaged }) => packaged !== true || peersInstalled());
  return contestFindings(scenario, await runScenario(scenario, peers, folder, options), options);
}

function peersOf(scenario: Scenario, options: Options): Peer[] {
  return named(PEERS, options.peers ?? scenario.peers);
}

/** Has the packages of the peers that will run; a smoke run goes without, since it must not need a registry. */
function readyPeers(scenarios: readonly (Scenario | Experiment)[], options: Options): void {
  const wanted = scenarios.some((scenario) =>
    'run' in scenario
      ? scenario.packaged === true
      : peersOf(scenario, options).some(({ packaged }) => packaged === true),
  );
  if (!wanted || peersInstalled()) return;
  if (options.smoke) say('Not installed, hence left out: the peers with packages of their own.');
  else installPeers();
}

/** Prints the table of all ratios; what is below its floor is named, and makes the run fail. */
function conclude(findings: readonly Findings[], judged: boolean): void {
  const ratios = findings.flatMap((found) => found.ratios);
  const figures = findings.flatMap((found) => found.figures);
  if (ratios.length + figures.length > 0) say(`\n${verdictTable(ratios, figures, judged)}`);
  const below = judged ? failures(ratios) : [];
  if (below.length === 0) return;
  process.stderr.write(`\n${below.join('\n')}\n`);
  process.exitCode = 1;
}

function named<T extends { readonly name: string }>(all: readonly T[], names: readonly string[]): T[] {
  return names.map((name) => {
    const found = all.find((one) => one.name === name);
    if (found === undefined) {
      throw new BenchError(`there is no ${name}, only ${all.map((one) => one.name).join(', ')}`);
    }
    return found;
  });
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
