import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { OperatorError } from '../../src/kernel/errors.ts';

export interface Options {
  file: string;
  count: number;
  seed: string;
  force: boolean;
  start: boolean;
}

const FILE_DEFAULT = '.data-demo/service.db';
const COUNT_DEFAULT = 20_000;
const COUNT_MAX = 1_000_000;

export const HELP = `Fills a new database with six months of generated data, then starts the service on it.

  npm run demo -- [options]

  --file FILE   the SQLite file, without rows (default ${FILE_DEFAULT})
  --force       replaces a database that this command created
  --count N     transactions (default ${COUNT_DEFAULT})
  --seed TEXT   the seed of the random data
  --no-start    only fills the file
`;

/** Reads the command line; null when help is asked for. Throws OperatorError. */
export function readOptions(args: readonly string[]): Options | null {
  const values = parse(args);
  if (values.help) return null;
  const count = Number(values.count);
  if (!Number.isInteger(count) || count < 1 || count > COUNT_MAX) {
    throw new OperatorError(`--count must be an integer from 1 to ${COUNT_MAX}`);
  }
  const { seed, force, 'no-start': noStart } = values;
  return { file: resolve(values.file), count, seed, force, start: !noStart };
}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        file: { type: 'string', default: FILE_DEFAULT },
        count: { type: 'string', default: String(COUNT_DEFAULT) },
        seed: { type: 'string', default: 'demo' },
        force: { type: 'boolean', default: false },
        'no-start': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    return values;
  } catch (error) {
    const [reason] = (error as Error).message.split('.');
    throw new OperatorError(`${reason}; --help lists the options`);
  }
}
