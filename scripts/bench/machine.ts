import { closeSync, existsSync, openSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import Sqlite from 'better-sqlite3';
import { median } from './statistics.ts';

const FSYNCS = 50;
const BLOCK_BYTES = 4096;
const TMPFS = 0x01021994;
const TICK_MS = 10;
const GIB = 1024 ** 3;
const KIB_IN_MIB = 1024;

/** Describes the machine of the run: processor, memory, versions, the cost of an fsync in `folder`, the load before the run. */
export function describeMachine(folder: string): string[] {
  const processor = cpus()[0]?.model.trim() ?? 'unknown processor';
  const sqlite = new Sqlite(':memory:');
  const sqliteVersion = sqlite.prepare('select sqlite_version()').pluck().get();
  sqlite.close();
  const memory = `${(totalmem() / GIB).toFixed(0)} GiB`;
  const lines = [
    `${availableParallelism()} × ${processor}, ${memory}, ${type()} ${release()} ${arch()}`,
    `Node.js ${process.version}, SQLite ${sqliteVersion}, WAL, synchronous=FULL`,
    `fsync of 4 KiB: ${fsyncMs(folder).toFixed(2)} ms (median)`,
    `load average before the run: ${loadavg()[0]?.toFixed(1)}`,
  ];
  if (statfsSync(folder).type === TMPFS)
    lines.push(
      `WARNING: ${folder} is in memory, so commits are not durable; set TMPDIR to a folder on a disk`,
    );
  return lines;
}

/**
 * Starts a measurement of processes. The returned function takes the number of their answers since, and returns the share of all
 * processors in use and, where the system has /proc, the processor time of one answer.
 */
export function measureUse(pids: readonly number[]): (answers: number) => Record<string, number> {
  const before = { ...machineMs(), own: cpuMs(pids) };
  return (answers) => {
    const after = machineMs();
    const us = ((cpuMs(pids) - before.own) * 1000) / answers;
    return {
      'machine busy %': (1 - (after.idle - before.idle) / (after.all - before.all)) * 100,
      ...(!Number.isNaN(us) && { 'processor µs': us }),
    };
  };
}

function machineMs(): { idle: number; all: number } {
  let [idle, all] = [0, 0];
  for (const { times } of cpus()) {
    idle += times.idle;
    all += Object.values(times).reduce((sum, ms) => sum + ms, 0);
  }
  return { idle, all };
}

/** Returns the processor time used so far; NaN on systems without /proc. */
function cpuMs(pids: readonly number[]): number {
  if (!existsSync('/proc/self/stat')) return Number.NaN;
  return pids.reduce((sum, pid) => {
    // Fields 14 and 15, counted after the command name: user and system time in ticks of 10 ms.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.replace(/^.*\) /s, '').split(' ');
    return sum + (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  }, 0);
}

/** Returns the resident memory of a process in MiB. Throws on systems without /proc. */
export function residentMib(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / KIB_IN_MIB;
}

function fsyncMs(folder: string): number {
  const file = join(folder, 'fsync.probe');
  const descriptor = openSync(file, 'w');
  const block = Buffer.alloc(BLOCK_BYTES, 1);
  const durations = Array.from({ length: FSYNCS }, () => {
    const start = performance.now();
    writeFileSync(descriptor, block, { flush: true });
    return performance.now() - start;
  });
  closeSync(descriptor);
  rmSync(file);
  return median(durations);
}
