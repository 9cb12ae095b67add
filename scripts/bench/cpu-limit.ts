import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = '/sys/fs/cgroup';
/** Short, so that a throttled process waits briefly. */
const PERIOD_US = 20_000;
const QUARTER_US = PERIOD_US / 4;

const groups: string[] = [];
process.on('exit', () => {
  for (const group of groups) rmdirSync(group);
});

/** Whether this user may limit processes with Linux control groups. */
export function canLimitProcesses(): boolean {
  try {
    rmdirSync(limitedGroup('probe'));
    return true;
  } catch {
    return false;
  }
}

/** Limits a process to a quarter of one processor until it ends. Throws when the system refuses. */
export function holdToQuarter(pid: number): void {
  const group = limitedGroup(String(pid));
  writeFileSync(join(group, 'cgroup.procs'), String(pid));
  groups.push(group);
}

/** Creates a control group, of version 2 or 1. */
function limitedGroup(name: string): string {
  const version2 = existsSync(join(ROOT, 'cgroup.controllers'));
  const group = join(ROOT, version2 ? '' : 'cpu', `bench-${name}`);
  mkdirSync(group);
  if (version2) writeFileSync(join(group, 'cpu.max'), `${QUARTER_US} ${PERIOD_US}`);
  else {
    writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
    writeFileSync(join(group, 'cpu.cfs_quota_us'), String(QUARTER_US));
  }
  return group;
}
