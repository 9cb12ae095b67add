import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';

const SYSTEM_FILE =
  process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';
/** A larger file is a block list. */
const FILE_BYTES_MAX = 1024 * 1024;

/**
 * Creates a lookup in the hosts file, which is read again when it has changed. A missing, unreadable or too large file counts
 * as empty.
 */
export function createHostsFile(file = SYSTEM_FILE): (hostname: string) => readonly string[] {
  let version = '';
  let names = new Map<string, string[]>();
  return (hostname) => {
    const current = versionOf(file);
    if (current !== version) {
      names = current === '' ? new Map() : parse(file);
      version = current;
    }
    return names.get(hostname.toLowerCase().replace(/\.$/, '')) ?? [];
  };
}

/** Changes with the file; empty when there is nothing to read. */
function versionOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined || stat.size > FILE_BYTES_MAX) return '';
  return `${stat.ino} ${stat.mtimeMs} ${stat.size}`;
}

function parse(file: string): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const line of read(file).split('\n')) {
    const [address = '', ...given] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of given) {
      const key = name.toLowerCase();
      names.set(key, [...(names.get(key) ?? []), address]);
    }
  }
  return names;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
