import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeServer } from './files.ts';

/**
 * Adapts package.json for the server's package. `strip` (before packing) removes what only the repository needs, such as the pinned
 * runtime, which would become the installer's `node`, and the scripts. `restore` (after packing, or by hand after an
 * aborted pack) restores the repository's manifest and removes what was emitted.
 */
const MANIFEST = join(import.meta.dirname, '../../package.json');
const KEPT = join(import.meta.dirname, '../../package.repository.json');

const FOR_THE_REPOSITORY = [
  'private',
  'scripts',
  'devDependencies',
  'optionalDependencies',
  'knip',
  'overrides',
  'scarfSettings',
];

/** Dependencies whose files are in the package. */
const TAKEN_ALONG = 'swagger-ui-dist';

/** The lowest version that the server's libraries support, without the pinned runtime. */
const ENGINES = { node: '>=22.19' };

switch (process.argv[2]) {
  case 'strip':
    strip();
    break;
  case 'restore':
    restore();
    removeServer();
    break;
  default:
    throw new Error('the argument must be strip or restore');
}

function restore(): void {
  if (existsSync(KEPT)) renameSync(KEPT, MANIFEST);
}

function strip(): void {
  // After an aborted pack, this file contains the repository's manifest.
  restore();
  const text = readFileSync(MANIFEST, 'utf8');
  const manifest: Record<string, unknown> & { dependencies: Record<string, string> } = JSON.parse(text);
  writeFileSync(KEPT, text);
  for (const member of FOR_THE_REPOSITORY) delete manifest[member];
  delete manifest.dependencies[TAKEN_ALONG];
  writeFileSync(MANIFEST, `${JSON.stringify({ ...manifest, engines: ENGINES }, null, 2)}\n`);
}
