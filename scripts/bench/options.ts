import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BenchError } from './contest.ts';

export interface Options {
  readonly rounds: number;
  /** Of each peer in each round. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly connections: number;
  /** Names of the scenarios to run; null for all. */
  readonly scenarios: readonly string[] | null;
  /** Names of the peers to run; null for each scenario's own. */
  readonly peers: readonly string[] | null;
  /** Where CPU profiles of our server go; null for none. */
  readonly profile: string | null;
}

const USAGE = `npm run bench -- [--rounds N] [--seconds S] [--connections N] [--smoke]
                 [--scenarios init,status,isolation] [--peers ours,ours-info,limit] [--profile FOLDER]
`;

/** Reads the command line. Throws BenchError with the usage. */
export function readOptions(args: readonly string[]): Options {
  const values = parse(args);
  const smoke = values.smoke === true;
  return {
    rounds: number('rounds', values.rounds, smoke ? 1 : 5, 1, 50),
    seconds: number('seconds', values.seconds, smoke ? 0.2 : 2.5, 0.1, 60),
    warmUpSeconds: smoke ? 0.1 : 1.5,
    connections: number('connections', values.connections, 32, 1, 1000),
    scenarios: list(values.scenarios),
    peers: list(values.peers),
    profile: values.profile === undefined ? null : resolve(values.profile),
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
        smoke: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new BenchError(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

function number(name: string, text: string | undefined, fallback: number, min: number, max: number): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  const whole = name === 'seconds' || Number.isInteger(value);
  if (value >= min && value <= max && whole) return value;
  throw new BenchError(`--${name} must be a number from ${min} to ${max}\n${USAGE}`);
}

function list(text: string | undefined): string[] | null {
  return text === undefined ? null : text.split(',').filter((name) => name !== '');
}
