import { closeSync, fsyncSync, openSync, readFileSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { arch, availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import Sqlite from 'better-sqlite3';
import { median } from './statistics.ts';

const SYNCS = 50;
const BLOCK_BYTES = 4096;
const TMPFS = 0x01021994;
const TICK_MS = 10;
const GIB = 1024 ** 3;
/** Numbers of four bytes, 8 MiB of them. */
const CHAIN = 2 ** 21;
const READS = 100_000;
const CHAINS = 9;

/** What the figures were taken on: processor, memory, runtime, SQLite, what a forced write costs in `folder`, who else works. */
export function describeMachine(folder: string): string[] {
  const processor = cpus()[0]?.model.trim() ?? 'unknown processor';
  const sqlite = new Sqlite(':memory:');
  const sqliteVersion = sqlite.prepare('select sqlite_version()').pluck().get();
  sqlite.close();
  const memory = `${(totalmem() / GIB).toFixed(0)} GiB`;
  const lines = [
    `${availableParallelism()} × ${processor}, ${memory}, ${type()} ${release()} ${arch()}`,
    `Node.js ${process.version}, SQLite ${sqliteVersion}, WAL, synchronous=FULL`,
    `the disk: a forced write of 4 KiB takes ${median(forcedWritesMs(folder)).toFixed(2)} ms (median)`,
    `the memory: a read at random in 8 MiB takes ${readNs().toFixed(0)} ns (median)`,
    `load of the machine before the run: ${loadavg()[0]?.toFixed(1)}`,
  ];
  if (statfsSync(folder).type === TMPFS) {
    lines.push(`WARNING: ${folder} is in memory, nothing is durable there; set TMPDIR to a folder on a disk`);
  }
  return lines;
}

/**
 * How long a read takes that a core's own caches cannot answer. It was 150 to 170 ns, as long as one from the memory, where others had
 * the cache that a processor's cores share. The larger a program, the more that slows it: there an init reached 0.33 of the limit.
 */
function readNs(): number {
  // A congruential generator of full period visits every place once, and no prefetcher foresees it.
  const next = Uint32Array.from({ length: CHAIN }, (_, i) => (i * 1_664_525 + 1_013_904_223) % CHAIN);
  let at = 0;
  const durations = Array.from({ length: CHAINS }, () => {
    const start = performance.now();
    for (let i = 0; i < READS; i++) at = next[at] ?? 0;
    return ((performance.now() - start) * 1e6) / READS;
  });
  return median(durations);
}

/** Processor time that a process has used so far, in milliseconds; null on systems without /proc. */
export function processCpuMs(pid: number): number | null {
  try {
    // After the command's name, in parentheses: fields 14 and 15, user and system time in ticks of 10 ms.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return null;
  }
}

/** How long each of some forced writes of 4 KiB takes, in milliseconds. */
export function forcedWritesMs(folder: string): number[] {
  const file = join(folder, 'sync.probe');
  const descriptor = openSync(file, 'w');
  const block = Buffer.alloc(BLOCK_BYTES, 1);
  const durations = Array.from({ length: SYNCS }, () => {
    const start = performance.now();
    writeSync(descriptor, block);
    fsyncSync(descriptor);
    return performance.now() - start;
  });
  closeSync(descriptor);
  rmSync(file);
  return durations;
}
