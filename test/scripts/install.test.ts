import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));

test('an install compiles nothing: the lock file keeps npm from building the database driver that is shipped built', () => {
  // npm takes the word of the lock, not of the package, and drops it when it rewrites the lock: put it back by hand.
  expect(lock.packages['node_modules/better-sqlite3'].gypfile).toBe(false);
});

test('the lock file names no registry', () => {
  const resolved = Object.values(lock.packages as Record<string, { resolved?: string }>).filter(
    (entry) => entry.resolved,
  );
  expect(resolved).toEqual([]);
});

test('every script runs under the pinned runtime', () => {
  const [major = 0] = process.versions.node.split('.').map(Number);
  expect(major).toBe(24);
});
