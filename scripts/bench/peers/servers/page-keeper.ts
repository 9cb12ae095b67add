import { fstatSync, openSync } from 'node:fs';
import koffi from 'koffi';

/**
 * Holds in memory what was read of the file BENCH_FILE. Some hosts have a virtual machine give back, within half a minute and while most of
 * its memory is free, whatever was read and not read again; then a large database is measured as fast as the disk is. Pages that a
 * process has mapped stay until memory is wanted, which is what a system does with all pages otherwise.
 *
 * Asked anything, it maps the pages that are in memory at that moment, whoever read or wrote them, and answers with the bytes of them.
 */
const READ = 1; // PROT_READ
const SHARED = 1; // MAP_SHARED
const FAILED = 2n ** 64n - 1n; // MAP_FAILED
const POPULATE_READ = 22; // MADV_POPULATE_READ
/** How much the file may grow meanwhile; beyond its end nothing is touched, because nothing is in memory there. */
const GROWTH = 2 ** 30;

const libc = koffi.load('libc.so.6');
const mmap = libc.func('void *mmap(void *, size_t, int, int, int, int64_t)');
const mincore = libc.func('int mincore(void *, size_t, _Out_ uint8_t *)');
const madvise = libc.func('int madvise(void *, size_t, int)');
const PAGE: number = libc.func('int getpagesize()')();

const file = openSync(process.env.BENCH_FILE ?? '', 'r');
const pages = Math.ceil((fstatSync(file).size + GROWTH) / PAGE);
const base: bigint = koffi.address(mmap(null, pages * PAGE, READ, SHARED, file, 0));
if (base === FAILED) throw new Error('the file could not be mapped');
const resident = Buffer.alloc(pages);

function keep(): number {
  if (mincore(base, pages * PAGE, resident) !== 0)
    throw new Error('the system does not say what is in memory');
  let kept = 0;
  for (let page = 0; page < pages; page++) {
    const from = page;
    while (page < pages && ((resident[page] ?? 0) & 1) === 1) page++;
    if (page === from) continue;
    // A page that has left since is read once more. Systems before Linux 5.14 do not know how, and hold nothing.
    const at = base + BigInt(from) * BigInt(PAGE);
    if (madvise(at, (page - from) * PAGE, POPULATE_READ) === 0) kept += page - from;
  }
  return kept * PAGE;
}

process.on('message', () => process.send?.(keep()));
process.on('disconnect', () => process.exit());
process.send?.('ready');
