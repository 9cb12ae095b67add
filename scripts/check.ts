import { join } from 'node:path';
import { runs } from '../test/support/package.ts';

/**
 * `npm run check`: runs all static checks in parallel, prints a line for each and the output of those that fail, and exits
 * with 1 when any fails.
 *
 * There are two compilers: TypeScript 7, named typescript-7, checks the types; dependency-cruiser needs TypeScript 6.
 * Packages started by path are listed in knip's settings.
 */
const ROOT = join(import.meta.dirname, '..');
// With several checkers, each repeats the types that they share.
const TSC = ['node_modules/typescript-7/bin/tsc', '--checkers', '1', '--pretty', 'false'];
const BIOME = 'node_modules/@biomejs/biome/bin/biome';
const KNIP = ['node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'];
const CRUISER = 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs';

/** The script of each check, from the project's root, and its arguments. */
const CHECKS: Readonly<Record<string, readonly string[]>> = {
  types: TSC,
  'types of the web pages': [...TSC, '--project', 'src/backoffice/web'],
  'lint and format': [BIOME, 'ci', '--error-on-warnings', '--colors=off'],
  'dead code': KNIP,
  'unused in production': [...KNIP, '--production', '--files', '--dependencies'],
  'arrow of imports': [
    CRUISER,
    '--config',
    'scripts/dependency-cruiser.cjs',
    '--output-type',
    'err-long',
    'src',
    'scripts',
    'test/support',
  ],
  'table owners and folder cycles': ['scripts/structure.ts'],
  'OpenAPI drift': ['scripts/openapi.ts', '--check'],
};

const results = await Promise.all(Object.entries(CHECKS).map(run));
process.exitCode = results.every(Boolean) ? 0 : 1;

async function run([name, args]: [string, readonly string[]]): Promise<boolean> {
  const startedAt = performance.now();
  const env = { ...process.env, NO_COLOR: '1' };
  const { code, out, err } = await runs(process.execPath, args, { cwd: ROOT, env, maxBuffer: Infinity });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)\n`);
  if (code !== 0) process.stdout.write(`${(out + err).trimEnd() || `exit code ${code}, no output`}\n\n`);
  return code === 0;
}
