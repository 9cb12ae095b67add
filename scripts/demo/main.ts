/** `npm run demo`: fills a new database with six months of generated data and starts the service on it. */
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { errorText, OperatorError } from '../../src/kernel/errors.ts';
import { readCommandLine, wholeNumber } from '../command-line.ts';
import { fillDemo, removeDemo } from './fill.ts';

const FILE_DEFAULT = '.data-demo/service.db';
const COUNT_DEFAULT = 5000;
const COUNT_MAX = 100_000;
const USAGE = `Fills a new database with six months of generated data, then starts the service on it.

  npm run demo -- [options]

  --file FILE   the SQLite file, without rows (default ${FILE_DEFAULT})
  --force       replaces a database that this command created, and the sandbox's file in its folder
  --count N     transactions (default ${COUNT_DEFAULT})`;

const values = readCommandLine(
  {
    file: { type: 'string', default: FILE_DEFAULT },
    count: { type: 'string', default: String(COUNT_DEFAULT) },
    force: { type: 'boolean' },
  },
  USAGE,
);

try {
  await run(resolve(values.file), wholeNumber('count', values.count, USAGE, COUNT_MAX));
} catch (error) {
  const line = error instanceof OperatorError ? error.message : `the demo failed: ${errorText(error)}`;
  process.stderr.write(`${line}\n`, () => process.exit(1));
}

async function run(file: string, count: number): Promise<void> {
  const databaseUrl = `sqlite:${file}`;
  const env = { ...process.env, SERVICE_DATABASE_URL: databaseUrl };
  const config = readConfig(env);
  if (config.settings.bank !== 'sandbox') {
    throw new OperatorError(`SERVICE_BANK is ${config.settings.bank}; demo data needs the sandbox`);
  }
  if (values.force && existsSync(file)) await removeDemo(file);
  const startedAt = performance.now();
  process.stderr.write(`· making ${count} orders\n`);
  const logins = await fillDemo({ file, count, seed: 'demo', config, until: Date.now() });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const lines = logins.map(({ email, password, what }) => `  ${email.padEnd(36)} ${password}   ${what}`);
  process.stdout.write(`
${count} transactions in ${shown(file)}, made in ${seconds} s. All data is generated.

Back office logins, shown only once:
${lines.join('\n')}

`);
  const command = `SERVICE_DATABASE_URL=sqlite:${shown(file)} npm start`;
  process.stdout.write(`Starting the service on it; next time:  ${command}\n\n`);
  process.env.SERVICE_DATABASE_URL = databaseUrl;
  // The service refuses arguments that it does not know.
  process.argv.splice(2);
  await import('../../src/main.ts');
}

/** Returns the path relative to the current folder, where that is shorter. */
function shown(file: string): string {
  const path = relative('.', file);
  return path.startsWith('..') ? file : path;
}
