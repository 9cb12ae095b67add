import { readCommandLine, wholeNumber } from '../command-line.ts';
import { runCrash } from './crash.ts';
import { reportLines } from './report.ts';

/**
 * `npm run crash -- --rounds 20 --seed N`: kills the service with SIGKILL at random moments while shops and customers
 * are active, restarts it, and compares the final state with what it acknowledged, the
 * bank's record and the webhooks received. Exits with 1 when anything disagrees.
 */
const FAULTS_SHOWN_MAX = 50;
const USAGE =
  'usage: npm run crash -- [--rounds 20] [--seed N] [--engine sqlite|postgres], whole numbers from 1';

const print = (line: string) => process.stdout.write(`${line}\n`);

const values = readCommandLine(
  { rounds: { type: 'string' }, seed: { type: 'string' }, engine: { type: 'string' } },
  USAGE,
);
const engine = values.engine === 'postgres' ? 'postgres' : 'sqlite';
const rounds = wholeNumber('rounds', values.rounds ?? '20', USAGE);
const seed = wholeNumber('seed', values.seed ?? String(1 + (Date.now() % 2 ** 31)), USAGE);

// An exit ends all started processes.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

print(`seed ${seed}, ${rounds} rounds, ${engine}`);
const report = await runCrash({ rounds, seed, engine, print });
print('');
for (const line of reportLines(report)) print(line);
print(`${rounds} rounds; again with: npm run crash -- --rounds ${rounds} --seed ${seed} --engine ${engine}`);
const { faults } = report;
for (const fault of faults.slice(0, FAULTS_SHOWN_MAX)) print(`FAULT  ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
