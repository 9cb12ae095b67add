import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BenchError } from './contest.ts';

export interface Options {
  readonly rounds: number;
  /** Of each peer in each round. */
  readonly seconds: number;
  /**
   * Into how many short rounds a contest cuts each of these. What others do to a shared machine comes and goes within a second or
   * two: in short turns it meets every peer, and the median is of many rounds.
   */
  readonly turns: number;
  readonly warmUpSeconds: number;
  readonly connections: number;
  /** Names of the scenarios to run; null for all. */
  readonly scenarios: readonly string[] | null;
  /** Names of the peers to run; null for each scenario's own. */
  readonly peers: readonly string[] | null;
  /** Where CPU profiles of our server go; null for none. */
  readonly profile: string | null;
  /** Transactions in the large database of `growth`; null for as many as there is room for. */
  readonly rows: number | null;
  /** Due deliveries in the large database of `memory`. */
  readonly due: number;
  /** Where the results go. */
  readonly out: string;
  /** Runs everything for a moment, to see that it works; floors are not judged. */
  readonly smoke: boolean;
}

const USAGE = `npm run bench -- [--scenarios init,status,…] [--peers ours,ours-info,limit,plain,stock,express] [--rounds N] [--seconds S]
                 [--connections N] [--rows N] [--due N] [--out FOLDER] [--profile FOLDER] [--smoke]
`;
const RESULTS = join(import.meta.dirname, '../../bench-results');

/** Reads the command line. Throws BenchError with the usage. */
export function readOptions(args: readonly string[]): Options {
  const values = parse(args);
  const smoke = values.smoke === true;
  return {
    rounds: number('rounds', values.rounds, smoke ? 1 : 5, 1, 50),
    seconds: number('seconds', values.seconds, smoke ? 0.2 : 2.5, smoke ? 0.1 : 0.5, 60),
    turns: smoke ? 1 : 5,
    warmUpSeconds: smoke ? 0.1 : 1.5,
    connections: number('connections', values.connections, 32, 1, 1000),
    scenarios: list(values.scenarios),
    peers: list(values.peers),
    profile: values.profile === undefined ? null : resolve(values.profile),
    rows: number('rows', values.rows, smoke ? 2000 : null, 1000, 10_000_000),
    due: number('due', values.due, smoke ? 2000 : 1_000_000, 1000, 10_000_000),
    out: resolve(values.out ?? RESULTS),
    smoke,
  };
}

function parse(args: readonly string[]) {
  try {
    const text = { type: 'string' } as const;
    return parseArgs({
      args: [...args],
      options: {
        rounds: text,
        seconds: text,
        connections: text,
        scenarios: text,
        peers: text,
        profile: text,
        rows: text,
        due: text,
        out: text,
        smoke: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new BenchError(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

function number<F extends number | null>(
  name: string,
  text: string | undefined,
  fallback: F,
  min: number,
  max: number,
): number | F {
  if (text === undefined) return fallback;
  const value = Number(text);
  const whole = name === 'seconds' || Number.isInteger(value);
  if (value >= min && value <= max && whole) return value;
  throw new BenchError(`--${name} must be a number from ${min} to ${max}\n${USAGE}`);
}

function list(text: string | undefined): string[] | null {
  return text === undefined ? null : text.split(',').filter((name) => name !== '');
}
