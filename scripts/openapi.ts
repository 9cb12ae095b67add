import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCheckoutDocument, PLACEHOLDER_CHECKOUT_SERVER } from '../src/docs/openapi/checkout.ts';
import { createDocument, PLACEHOLDER_SERVER } from '../src/docs/openapi/document.ts';
import { createCollection, SANDBOX_VALUES } from '../src/docs/openapi/postman.ts';

/**
 * `node scripts/openapi.ts` writes the OpenAPI documents and the Postman collection to openapi/. With `--check` it writes
 * nothing and fails if a committed file differs from the generated one, except in `servers`.
 */
const FOLDER = join(import.meta.dirname, '..', 'openapi');
const document = createDocument(PLACEHOLDER_SERVER);
const FILES = {
  'openapi.json': document,
  'checkout.json': createCheckoutDocument(PLACEHOLDER_CHECKOUT_SERVER),
  'postman.json': createCollection(document, SANDBOX_VALUES),
};

for (const [name, generated] of Object.entries(FILES)) {
  const file = join(FOLDER, name);
  if (process.argv.includes('--check')) check(name, readFileSync(file, 'utf8'), generated);
  else writeFileSync(file, serialize(generated));
}
if (!process.argv.includes('--check'))
  process.stdout.write(`Wrote ${Object.keys(FILES).join(', ')} to openapi/.\n`);

function check(name: string, committed: string, generated: object): void {
  const { servers } = JSON.parse(committed);
  const expected = serialize({ ...generated, ...(servers !== undefined && { servers }) });
  if (committed === expected) return;
  const lines = expected.split('\n');
  const line = committed.split('\n').findIndex((text, index) => text !== lines[index]);
  process.stderr.write(
    `openapi/${name} does not match the code (line ${line + 1}). Run "npm run openapi" and commit it.\n`,
  );
  process.exitCode = 1;
}

function serialize(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
