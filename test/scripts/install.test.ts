import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Where compose.yml reads the settings, which include the secret key. */
const SETTINGS = 'scripts/deploy/service.env';
const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));

test('an install compiles nothing: the lock file keeps npm from building the database driver that is shipped built', () => {
  // npm reads this from the lock file only, and drops it when it rewrites the lock: restore it manually.
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

test('an install without development packages keeps built pages, or prints in one line that there are none', () => {
  const folder = temporaryFolder();
  const built = join(folder, 'src/backoffice/web/dist');
  mkdirSync(join(folder, 'node_modules/typescript'), { recursive: true });
  for (const file of ['package.json', 'scripts/link-runtime.mjs', 'scripts/prepare.mjs']) {
    cpSync(join(ROOT, file), join(folder, file));
  }
  const prepare = () => spawnSync('npm', ['run', '--silent', 'prepare'], { cwd: folder, encoding: 'utf8' });
  const without = prepare();
  expect([without.status, without.stdout]).toEqual([0, '']);
  expect(without.stderr).toMatch(/^The pages of the back office are not built, .*\n$/);
  expect(existsSync(join(folder, 'node_modules/typescript'))).toBe(false);
  mkdirSync(built, { recursive: true });
  writeFileSync(join(built, 'index.html'), 'built');
  const withPages = prepare();
  expect([withPages.status, withPages.stdout + withPages.stderr]).toEqual([0, '']);
  expect(readFileSync(join(built, 'index.html'), 'utf8')).toBe('built');
});

test('the settings of Docker Compose enter no package, image, repository or archive for a server', () => {
  const project = join(temporaryFolder(), 'project');
  cpSync(join(ROOT, 'scripts/deploy'), join(project, 'scripts/deploy'), { recursive: true });
  for (const file of ['package.json', 'README.md']) cpSync(join(ROOT, file), join(project, file));
  writeFileSync(join(project, SETTINGS), 'SERVICE_SECRET_KEY=secret');
  const run = (command: string) => spawnSync('sh', ['-c', command], { cwd: project, encoding: 'utf8' });
  const [{ files }] = JSON.parse(run('npm pack --dry-run --json --ignore-scripts').stdout);
  const packed = files.map(({ path }: { path: string }) => path);
  expect(packed).toContain(`${SETTINGS}.example`);
  expect(packed).not.toContain(SETTINGS);

  const guide = readFileSync(join(ROOT, 'src/docs/content/en/running-it.md'), 'utf8');
  const archive = /^ *tar .* -czf (\S+) \.$/m.exec(guide);
  const listed = run(`${archive?.[0]} && tar -tzf ${archive?.[1]}`).stdout.split('\n');
  expect(listed).toContain(`./${SETTINGS}.example`);
  expect(listed).not.toContain(`./${SETTINGS}`);

  const lines = (file: string) => readFileSync(join(ROOT, file), 'utf8').split('\n');
  expect(lines('.gitignore')).toContain('*.env');
  expect(lines('scripts/deploy/Dockerfile.dockerignore')).toContain('**/*.env');
});
