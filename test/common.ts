import { existsSync, readFileSync, statfsSync } from 'node:fs';

const ROOT = new URL('..', import.meta.url).pathname;
const MEMORY_FOLDER = '/dev/shm';
const MEMORY_BYTES_MIN = 4 * 2 ** 30;

// Tests write many small databases, which costs less in memory than on a disk. The processes that they start inherit this.
if (hasMemoryFolder()) process.env.TMPDIR ??= MEMORY_FOLDER;

/** The settings of every project. */
export const COMMON = {
  root: ROOT,
  // Modules load once per worker instead of once per file.
  isolate: false,
  // Node loads TypeScript itself, faster than Vite does.
  experimental: { viteModuleRunner: false },
  // A worker loads what an earlier one has compiled.
  env: { NODE_COMPILE_CACHE: `${ROOT}node_modules/.cache/compiled` },
};

/** Whether a file system in memory has room and may run programs. */
function hasMemoryFolder(): boolean {
  if (!existsSync('/proc/mounts')) return false;
  if (!/ \/dev\/shm tmpfs (?!\S*noexec)/.test(readFileSync('/proc/mounts', 'utf8'))) return false;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  return bavail * bsize >= MEMORY_BYTES_MIN;
}
