import { join, resolve } from 'node:path';
import { readCommandLine, wholeNumber } from '../command-line.ts';

export type Options = ReturnType<typeof readOptions>;

const USAGE = `Usage: npm run bench -- [--scenarios init,status,…] [--rounds N] [--seconds S] [--rows N] [--out FOLDER] [--smoke]`;
const SMOKE_DIVISOR = 50;
const DEFAULT_OUT = join(import.meta.dirname, '../../bench-results');

export function readOptions(known: readonly string[]) {
  const text = { type: 'string' } as const;
  const texts = { scenarios: text, rounds: text, seconds: text, rows: text, out: text };
  const values = readCommandLine({ ...texts, smoke: { type: 'boolean', default: false } }, USAGE);
  const { smoke } = values;
  const number = (name: 'rounds' | 'seconds' | 'rows', inSmoke: number, otherwise: number, max: number) => {
    const value = values[name];
    return value === undefined ? (smoke ? inSmoke : otherwise) : wholeNumber(name, value, USAGE, max);
  };
  const scenarios = values.scenarios?.split(',') ?? known;
  const unknown = scenarios.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    process.stderr.write(`Unknown scenario "${unknown}". Use ${known.join(', ')}.\n`);
    process.exit(1);
  }
  return {
    scenarios,
    rounds: number('rounds', 1, 7, 50),
    /** Duration of one peer's turn in a round. */
    seconds: number('seconds', 0.2, 2, 60),
    warmUpSeconds: smoke ? 0.1 : 6,
    /** Transactions in the large database of the scenario `growth`. */
    rows: number('rows', 2000, 1_000_000, 10_000_000),
    out: resolve(values.out ?? DEFAULT_OUT),
    /** Runs every scenario briefly to check that it works, without applying floors. */
    smoke,
    /** Returns a count or a time, much less of it in a smoke run. */
    scaled: (amount: number) => (smoke ? Math.ceil(amount / SMOKE_DIVISOR) : amount),
  };
}
