import { spawn } from 'node:child_process';
import { join } from 'node:path';

/**
 * `npm run check`: types, lint and format, dead code, the arrow of imports, the drift of the committed document. All
 * side by side; prints a line for each and the output of those that fail, and exits 1 when any does.
 *
 * The tools are started by their paths. There are two compilers: 7 checks the types, under the name typescript-7; 6 is
 * there because dependency-cruiser cannot read 7. That is also why knip's settings list three packages as used.
 */
interface Check {
  readonly name: string;
  /** The script to run with this very Node, from the root of the project. */
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
