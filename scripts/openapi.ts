import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDocument, PLACEHOLDER_SERVER } from '../src/docs/openapi/document.ts';

/**
 * `node scripts/openapi.ts` writes the OpenAPI document to openapi/openapi.json. With `--check` it writes nothing and
 * fails if the committed document differs from the generated one, except in `servers`.
 */
const FILE = join(import.meta.dirname, '..', 'openapi', 'openapi.json');
const generated = createDocument(PLACEHOLDER_SERVER);

if (process.argv.includes('--check')) {
  const committed = readFileSync(FILE, 'utf8');
  const expected = serialize({ ...generated, servers: JSON.parse(committed).servers });
  const lines = expected.split('\n');
  const line = committed.split('\n').findIndex((text, index) => text !== lines[index]);
  if (committed !== expected) {
    process.stderr.write(
      `openapi/openapi.json does not match the code (line ${line + 1}). Run "npm run openapi" and commit it.\n`,
    );
    process.exitCode = 1;
  }
} else {
  writeFileSync(FILE, serialize(generated));
  process.stdout.write('Wrote openapi/openapi.json.\n');
}

function serialize(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
