import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BenchError, type Experiment, type Peer, type Scenario } from './contest.ts';
import { describeMachine } from './machine.ts';
import { type Options, readOptions } from './options.ts';
import { limit } from './peers/limit.ts';
import { ours, oursInfo } from './peers/ours.ts';
import { scenarioTable } from './report.ts';
import { runScenario } from './runner.ts';
import { init } from './scenarios/init.ts';
import { isolation } from './scenarios/isolation.ts';
import { status } from './scenarios/status.ts';

const SCENARIOS: readonly (Scenario | Experiment)[] = [init, status, isolation];
const PEERS: readonly Peer[] = [ours, oursInfo, limit];

try {
  await bench(readOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof BenchError)) throw error;
  process.stderr.write(`The benchmark failed, its figures do not count. ${error.message}\n`);
  // At once: a half-driven server may still hold connections.
  process.exit(1);
}

async function bench(options: Options): Promise<void> {
  const scenarios = named(SCENARIOS, options.scenarios ?? SCENARIOS.map(({ name }) => name));
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

  say(describeMachine(folder).join('\n'));
  for (const scenario of scenarios) {
    if ('run' in scenario) {
      say(`\n${await scenario.run(folder, options)}`);
      continue;
    }
    const peers = named(PEERS, options.peers ?? scenario.peers);
    const results = await runScenario(scenario, peers, folder, options);
    say(`\n${scenarioTable(scenario, results, options)}`);
  }
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
