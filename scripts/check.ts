import { spawn } from 'node:child_process';
import { join } from 'node:path';

/**
 * `npm run check`: runs all static checks in parallel, prints a line for each and the output of those that fail, and exits
 * with 1 when any fails.
 *
 * There are two compilers: TypeScript 7, named typescript-7, checks the types; dependency-cruiser needs TypeScript 6.
 * Packages started by path are listed in knip's settings.
 */
interface Check {
  readonly name: string;
  /** The script to run with this Node.js, from the project's root. */
  readonly script: string;
  readonly args: readonly string[];
}

const ROOT = join(import.meta.dirname, '..');

const CHECKS: readonly Check[] = [
  { name: 'types', script: 'node_modules/typescript-7/bin/tsc', args: ['--pretty', 'false'] },
  {
    name: 'types of the web pages',
    script: 'node_modules/typescript-7/bin/tsc',
    args: ['--pretty', 'false', '--project', 'src/backoffice/web'],
  },
  {
    name: 'lint and format',
    script: 'node_modules/@biomejs/biome/bin/biome',
    args: ['ci', '--error-on-warnings', '--colors=off'],
  },
  {
    name: 'dead code',
    script: 'node_modules/knip/bin/knip.js',
    args: ['--no-progress', '--no-config-hints'],
  },
  {
    name: 'unused in production',
    script: 'node_modules/knip/bin/knip.js',
    args: ['--no-progress', '--no-config-hints', '--production', '--files', '--dependencies'],
  },
  {
    name: 'arrow of imports',
    script: 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
    args: ['--config', 'scripts/dependency-cruiser.cjs', 'src', 'scripts', 'test/support'],
  },
  { name: 'table owners and folder cycles', script: 'scripts/structure.ts', args: [] },
  { name: 'OpenAPI drift', script: 'scripts/openapi.ts', args: ['--check'] },
];

const results = await Promise.all(CHECKS.map(run));
process.exitCode = results.every(Boolean) ? 0 : 1;

async function run(check: Check): Promise<boolean> {
  const startedAt = performance.now();
  const { code, output } = await outputOf(check);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`${code === 0 ? '✓' : '✗'} ${check.name} (${seconds} s)\n`);
  if (code !== 0) process.stdout.write(`${output.trimEnd() || `exit code ${code}, no output`}\n\n`);
  return code === 0;
}

function outputOf({ script, args }: Check): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(ROOT, script), ...args], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1' },
    });
    const pieces: Buffer[] = [];
    child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    child.stderr.on('data', (piece: Buffer) => pieces.push(piece));
    child.on('error', (error) => resolve({ code: 1, output: error.message }));
    child.on('close', (code) => resolve({ code, output: Buffer.concat(pieces).toString('utf8') }));
  });
}
