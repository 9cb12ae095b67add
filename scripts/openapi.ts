import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createDocument, type OpenApiDocument, PLACEHOLDER_SERVER } from '../src/docs/openapi.ts';

/**
 * `node scripts/openapi.ts` writes the document of the merchant API to openapi/openapi.json; with `--check` it writes
 * nothing and fails when the committed one says something else, `servers` apart.
 */
const FILE = join(import.meta.dirname, '..', 'openapi', 'openapi.json');

const made: OpenApiDocument = await createDocument(PLACEHOLDER_SERVER);
process.exitCode = process.argv.includes('--check') ? check(made) : write(made);

function write(document: OpenApiDocument): number {
  mkdirSync(dirname(FILE), { recursive: true });
  writeFileSync(FILE, `${JSON.stringify(document, null, 2)}\n`);
  process.stdout.write('openapi/openapi.json is written\n');
  return 0;
}

function check(document: OpenApiDocument): number {
  const difference = firstDifference(withoutServers(committed()), withoutServers(document), '');
  if (difference === null) return 0;
  process.stderr.write(
    `openapi/openapi.json does not match the code (at ${difference || 'its root'}); run "npm run openapi" and commit it\n`,
  );
  return 1;
}

function committed(): unknown {
  try {
    return JSON.parse(readFileSync(FILE, 'utf8'));
  } catch {
    return null;
  }
}

function withoutServers(document: unknown): unknown {
  if (typeof document !== 'object' || document === null) return document;
  const { servers: _, ...rest } = JSON.parse(JSON.stringify(document));
  return rest;
}

/** Where two JSON values part, as `a.b[0]`, the order of members included; null when they are the same. */
function firstDifference(one: unknown, other: unknown, path: string): string | null {
  if (Object.is(one, other)) return null;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return path;
  if (Array.isArray(one) !== Array.isArray(other)) return path;
  const [ours, theirs] = [Object.entries(one), Object.entries(other)];
  for (let i = 0; i < Math.max(ours.length, theirs.length); i++) {
    const [name = '', value] = ours[i] ?? [];
    const [otherName = '', otherValue] = theirs[i] ?? [];
    const step = Array.isArray(one)
      ? `${path}[${i}]`
      : `${path === '' ? '' : `${path}.`}${name || otherName}`;
    if (name !== otherName) return step;
    const inside = firstDifference(value, otherValue, step);
    if (inside !== null) return inside;
  }
  return null;
}
