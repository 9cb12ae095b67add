import { join, resolve } from 'node:path';
import { readCommandLine } from '../command-line.ts';

export type Options = ReturnType<typeof readOptions>;

const USAGE = `Usage: npm run bench -- [--scenarios init,status,…] [--peers ours,limit,loop,pg-boss] [--rounds N] [--seconds S]
         [--connections N] [--rows N] [--out FOLDER] [--smoke]`;
/** The names for `--peers`; a scenario has some of them. */
export const PEERS = ['ours', 'limit', 'loop', 'pg-boss'];
const SMOKE_DIVISOR = 50;
const DEFAULT_OUT = join(import.meta.dirname, '../../bench-results');

/** Reads the command line. On a wrong option or value, prints what is right and exits. */
export function readOptions() {
  const text = { type: 'string' } as const;
  const texts = { rounds: text, seconds: text, connections: text, scenarios: text, peers: text, rows: text };
  const values = readCommandLine({ ...texts, out: text, smoke: { type: 'boolean' } }, USAGE);
  const smoke = values.smoke === true;
  return {
    rounds: number('rounds', values.rounds, smoke ? 1 : 7, 1, 50),
    /** Duration of one peer's turn in a round. */
    seconds: number('seconds', values.seconds, smoke ? 0.2 : 2, smoke ? 0.1 : 0.5, 60),
    warmUpSeconds: smoke ? 0.1 : 6,
    connections: number('connections', values.connections, 32, 1, 1000),
    /** Names of the scenarios to run; null for all. */
    scenarios: list(values.scenarios),
    /** Names of the peers to run; null for all peers of each scenario. */
    peers: list(values.peers),
    /** Transactions in the large database of the scenario `growth`. */
    rows: number('rows', values.rows, smoke ? 2000 : 1_000_000, 1000, 10_000_000),
    /** Folder for the results. */
    out: resolve(values.out ?? DEFAULT_OUT),
    /** Runs every scenario briefly to check that it works, without applying floors. */
    smoke,
    /** Returns a count or a time, much less of it in a smoke run. */
    scaled: (amount: number) => (smoke ? Math.ceil(amount / SMOKE_DIVISOR) : amount),
  };
}

function number(name: string, text: string | undefined, fallback: number, min: number, max: number): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (value >= min && value <= max && (name === 'seconds' || Number.isInteger(value))) return value;
  return refuse(`--${name} must be a number from ${min} to ${max}\n${USAGE}`);
}

/** Returns the items that the names choose, or all of them. Exits when a name is not `known`. */
export function chosen<Item extends { readonly name: string }>(
  items: readonly Item[],
  names: readonly string[] | null,
  known: readonly string[] = items.map(({ name }) => name),
): Item[] {
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown !== undefined) refuse(`Unknown name "${unknown}". Use ${known.join(', ')}.`);
  return items.filter(({ name }) => names?.includes(name) ?? true);
}

function list(text: string | undefined): string[] | null {
  return text === undefined ? null : text.split(',').filter((name) => name !== '');
}

function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
