import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BenchError } from './contest.ts';
import { progress } from './progress.ts';

const FOLDER = join(import.meta.dirname, 'peers');
const INSTALL_MS_MAX = 300_000;

/** Whether the packages of the peers are there, in the versions of their lock file. */
export function peersInstalled(): boolean {
  const { dependencies } = readJson('package.json') as { dependencies: Record<string, string> };
  return Object.entries(dependencies).every(([name, version]) => {
    const file = join('node_modules', name, 'package.json');
    return existsSync(join(FOLDER, file)) && (readJson(file) as { version: string }).version === version;
  });
}

/** Installs the packages of the peers from their lock file. Throws BenchError when that cannot be done. */
export function installPeers(): void {
  progress('installing the packages of the peers (npm ci in scripts/bench/peers)');
  // None of them needs a script of its own to be installed.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=1'];
  const cli = process.env.npm_execpath;
  const [command, before] = cli === undefined ? ['npm', []] : [process.execPath, [cli]];
  const { status, stderr, error } = spawnSync(command, [...before, ...args], {
    cwd: FOLDER,
    encoding: 'utf8',
    timeout: INSTALL_MS_MAX,
    shell: cli === undefined && process.platform === 'win32',
  });
  if (status === 0) return;
  throw new BenchError(
    `The packages of the peers could not be installed; is the npm registry in reach? Install them with "npm ci" in scripts/bench/peers, or leave those peers out with "--peers ours,limit".\n${(error?.message ?? stderr).slice(-1000)}`,
  );
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(join(FOLDER, file), 'utf8'));
}
