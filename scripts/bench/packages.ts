import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Options } from './options.ts';
import { progress } from './statistics.ts';

const FOLDER = join(import.meta.dirname, 'peers');
const INSTALL_MS_MAX = 300_000;

/**
 * Installs pg-boss from its lock file and returns whether it is there. A smoke run never installs, because it must work without a
 * registry. Throws when the installation fails.
 */
export function requirePgBoss({ smoke }: Options): boolean {
  if (isInstalled() || smoke) return isInstalled();
  progress('installing pg-boss (npm ci in scripts/bench/peers)');
  const { status, stderr, error } = spawnSync('npm ci --ignore-scripts --no-audit --no-fund', {
    cwd: FOLDER,
    encoding: 'utf8',
    timeout: INSTALL_MS_MAX,
    shell: true,
  });
  if (status === 0) return true;
  throw new Error(
    `Cannot install pg-boss. Run "npm ci" in scripts/bench/peers, or leave it out with "--peers ours,limit,loop".\n${error?.message ?? stderr}`,
  );
}

function isInstalled(): boolean {
  const version = (file: string) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
  const file = 'node_modules/pg-boss/package.json';
  return (
    existsSync(join(FOLDER, file)) &&
    version(file).version === version('package.json').dependencies['pg-boss']
  );
}
