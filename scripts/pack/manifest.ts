import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What the package says of itself is not what the repository says. `strip` (before packing) takes out what is for the
 * repository alone: above all the pinned runtime, which would become the `node` of whoever installs the package, and
 * the scripts, which need what is not in it. `restore` (after packing, or by hand when a pack was broken off) puts the
 * repository's manifest back and removes what was emitted.
 */
const MANIFEST = join(import.meta.dirname, '../../package.json');
const KEPT = join(import.meta.dirname, '../../package.repository.json');

const EMITTED = join(import.meta.dirname, '../../dist');

const FOR_THE_REPOSITORY = [
  'private',
  'scripts',
  'devDependencies',
  'optionalDependencies',
  'knip',
  'overrides',
  'scarfSettings',
];

/** Its files are in the package itself. */
const TAKEN_ALONG = 'swagger-ui-dist';

/** The client runs on these; the command says by itself what the server needs. */
const ENGINES = { node: '>=18' };

switch (process.argv[2]) {
  case 'strip':
    strip();
    break;
  case 'restore':
    restore();
    rmSync(EMITTED, { recursive: true, force: true });
    break;
  default:
    throw new Error('say strip or restore');
}

function restore(): void {
  if (existsSync(KEPT)) renameSync(KEPT, MANIFEST);
}

function strip(): void {
  // A pack that was broken off left the repository's own text here alone.
  restore();
  const text = readFileSync(MANIFEST, 'utf8');
  const manifest: Record<string, unknown> & { dependencies: Record<string, string> } = JSON.parse(text);
  writeFileSync(KEPT, text);
  for (const member of FOR_THE_REPOSITORY) delete manifest[member];
  delete manifest.dependencies[TAKEN_ALONG];
  writeFileSync(MANIFEST, `${JSON.stringify({ ...manifest, engines: ENGINES }, null, 2)}\n`);
}
