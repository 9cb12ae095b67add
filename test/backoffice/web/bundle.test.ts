import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const DIST = join(import.meta.dirname, '../../../src/backoffice/web/dist');
const ENTRY = 'index.html';
const FIRST_LOAD_BYTES_MAX = 250_000;

/** An entry of the Vite build manifest. */
interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}

const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(DIST, 'manifest.json'), 'utf8'));

/** The files that must be there before the page of this chunk can be shown: its own, what it imports, their styles. */
function filesOf(key: string, seen = new Set<string>()): Set<string> {
  const chunk = manifest[key];
  if (chunk === undefined || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const style of chunk.css ?? []) seen.add(style);
  for (const imported of chunk.imports ?? []) filesOf(imported, seen);
  return seen;
}

/** The bytes on the wire, to a browser that takes gzip alone: others get less. */
function compressedBytes(file: string): number {
  try {
    return statSync(join(DIST, `${file}.gz`)).size;
  } catch {
    return statSync(join(DIST, file)).size;
  }
}

test('no page needs more than 250 kB, compressed, before it is shown', ({ annotate }) => {
  const pages = Object.keys(manifest).filter((key) => /^pages\/[\w-]+\/page\.tsx$/.test(key));
  expect(pages).toHaveLength(21);
  const document = statSync(join(DIST, ENTRY)).size;
  const sizes = pages.map((page) => {
    const files = new Set([...filesOf(ENTRY), ...filesOf(page)]);
    const bytes = [...files].reduce((sum, file) => sum + compressedBytes(file), document);
    return [page.split('/')[1] ?? page, bytes] as const;
  });
  const lines = sizes.map(([name, bytes]) => `${name}: ${(bytes / 1_000).toFixed(1)} kB`);
  process.stdout.write(`first load, gzip: ${lines.join(', ')}\n`);
  void annotate(lines.join('\n'));
  expect(sizes.filter(([, bytes]) => bytes > FIRST_LOAD_BYTES_MAX)).toEqual([]);
});

test('the built pages name no other host and hold no source map', () => {
  const files = [...new Set(Object.keys(manifest).flatMap((key) => [...filesOf(key)]))];
  for (const file of files) {
    const text = readFileSync(join(DIST, file), 'utf8');
    expect(text.includes('sourceMappingURL'), file).toBe(false);
    expect(text.match(/(?:src|href|url\()\s*[=:]?\s*["']?https?:\/\/[\w.-]+/g) ?? [], file).toEqual([]);
  }
});
