import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';

const SYSTEM_FILE =
  process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';
/** A larger file is a block list. */
const FILE_BYTES_MAX = 1024 * 1024;
const MISSING = { ino: 0, mtimeMs: 0, size: 0 };

/**
 * Creates a lookup in the hosts file, which is read again when it has changed. A missing, unreadable or too large file counts
 * as empty.
 */
export function createHostsFile(file = SYSTEM_FILE): (hostname: string) => readonly string[] {
  let version = '';
  let names = new Map<string, string[]>();
  return (hostname) => {
    const { ino, mtimeMs, size } = statSync(file, { throwIfNoEntry: false }) ?? MISSING;
    const current = `${ino} ${mtimeMs} ${size}`;
    if (current !== version) {
      const text = size > 0 && size <= FILE_BYTES_MAX ? read(file) : '';
      names = parse(text ?? '');
      // A file that cannot be read, such as while too many are open, is tried again.
      version = text === null ? '' : current;
    }
    return names.get(hostname.toLowerCase().replace(/\.$/, '')) ?? [];
  };
}

function parse(text: string): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...given] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of given) {
      const key = name.toLowerCase();
      names.set(key, [...(names.get(key) ?? []), address]);
    }
  }
  return names;
}

/** Null when the file cannot be read. */
function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
