import { readFileSync } from 'node:fs';
import { BenchError } from './contest.ts';

const KIB_IN_MIB = 1024;

/** Resident memory of a process now, and the most that it ever had, in MiB. Throws BenchError on systems without /proc. */
export function residentMb(pid: number): { now: number; peak: number } {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    throw new BenchError(
      'memory is read from /proc, which this system does not have; leave those scenarios out',
    );
  }
  const field = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / KIB_IN_MIB;
  return { now: field('VmRSS'), peak: field('VmHWM') };
}
