import { readCommandLine } from '../command-line.ts';
import { runCrash } from './crash.ts';
import { reportLines } from './report.ts';

/**
 * `npm run crash -- --rounds 20 --seed N`: the service as a process of its own, killed with SIGKILL at moments out of
 * the seed while shops and customers are busy, started again, and in the end held against what it acknowledged, what
 * the bank's record shows and what the merchant's endpoint saw. Exit code 1 when anything does not agree.
 */
const FAULTS_SHOWN_MAX = 50;
const USAGE = 'usage: npm run crash -- [--rounds 20] [--seed N], whole numbers from 1';

const print = (line: string) => process.stdout.write(`${line}\n`);

function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  process.stderr.write(`${USAGE}\n`);
  process.exit(1);
}

const values = readCommandLine({ rounds: { type: 'string' }, seed: { type: 'string' } }, USAGE);
const rounds = wholeNumber(values.rounds ?? '20');
const seed = wholeNumber(values.seed ?? process.env.SEED ?? String(1 + (Date.now() % 2 ** 31)));

// The processes that were started are ended on the way out.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

print(`seed ${seed}, ${rounds} rounds`);
const report = await runCrash({ rounds, seed, print });
print('');
for (const line of reportLines(report)) print(line);
print(
  `${rounds} rounds in ${report.seconds.toFixed(1)} s; again with: npm run crash -- --rounds ${rounds} --seed ${seed}`,
);
const { faults } = report.verdict;
for (const fault of faults.slice(0, FAULTS_SHOWN_MAX)) print(`FAULT  ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;
