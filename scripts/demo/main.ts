/** `npm run demo`: fills a new database with six months of generated data and starts the service on it. */
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { readConfig } from '../../src/config.ts';
import { errorText, OperatorError } from '../../src/kernel/errors.ts';
import { fillDemo, removeDemo } from './fill.ts';
import { HELP, type Options, readOptions } from './options.ts';

try {
  const options = readOptions(process.argv.slice(2));
  if (options === null) process.stdout.write(HELP);
  else await run(options);
} catch (error) {
  const line = error instanceof OperatorError ? error.message : `the demo failed: ${errorText(error)}`;
  process.stderr.write(`${line}\n`, () => process.exit(1));
}

async function run(options: Options): Promise<void> {
  const databaseUrl = `sqlite:${options.file}`;
  const env = { ...process.env, SERVICE_DATABASE_URL: databaseUrl };
  const config = readConfig(env);
  if (config.settings.bank !== 'sandbox') {
    throw new OperatorError(`SERVICE_BANK is ${config.settings.bank}; demo data needs the sandbox`);
  }
  if (options.force && existsSync(options.file)) await removeDemo(options.file);
  const startedAt = performance.now();
  const logins = await fillDemo({ ...options, config, until: Date.now() });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const lines = logins.map(({ email, password, what }) => `  ${email.padEnd(36)} ${password}   ${what}`);
  process.stdout.write(`
${options.count} transactions in ${shown(options.file)}, made in ${seconds} s. All data is generated.

Back office logins, shown only once:
${lines.join('\n')}

`);
  const command = `SERVICE_DATABASE_URL=sqlite:${shown(options.file)} npm start`;
  if (!options.start) {
    process.stdout.write(`Run the service on it:  ${command}\n`);
    return;
  }
  process.stdout.write(`Starting the service on it; next time:  ${command}\n\n`);
  process.env.SERVICE_DATABASE_URL = databaseUrl;
  await import('../../src/main.ts');
}

/** Returns the path relative to the current folder, where that is shorter. */
function shown(file: string): string {
  const path = relative('.', file);
  return path.startsWith('..') ? file : path;
}
