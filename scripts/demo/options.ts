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

const COUNT_DEFAULT = 20_000;
const COUNT_MAX = 1_000_000;

export const HELP = `Fills a new database with half a year of invented data, then starts the service on it.

  npm run demo -- [options]

  --file FILE   the SQLite file, without rows (default .data-demo/service.db)
  --force       replaces a database that this command created
  --count N     transactions (default ${COUNT_DEFAULT})
  --seed TEXT   the seed of the random data
  --no-start    only fills the file
`;

/** Reads the command line; null when help is asked for. Throws OperatorError. */
export function readOptions(args: readonly string[]): Options | null {
  const { values } = parse(args);
  if (values.help === true) return null;
  const count = Number(values.count ?? COUNT_DEFAULT);
  if (!Number.isInteger(count) || count < 1 || count > COUNT_MAX) {
    throw new OperatorError(`--count must be an integer from 1 to ${COUNT_MAX}`);
  }
  return {
    file: resolve(values.file ?? '.data-demo/service.db'),
    count,
    seed: values.seed ?? 'demo',
    force: values.force ?? false,
    start: values['no-start'] !== true,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        file: { type: 'string' },
        count: { type: 'string' },
        seed: { type: 'string' },
        force: { type: 'boolean' },
        'no-start': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    const said = error instanceof Error ? (error.message.split('.')[0] ?? '') : '';
    throw new OperatorError(`${said}; --help lists the options`);
  }
}
