import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SharedReads } from '../../src/db/sqlite/shared-reads.ts';
import { temporaryFolder } from '../support/database.ts';

/** A file with one number in it, that is read through shared snapshots and written beside them. */
function counter() {
  const file = join(temporaryFolder(), 'counter.db');
  const writer = new Sqlite(file);
  writer.exec('pragma journal_mode = WAL; create table counter (n integer); insert into counter values (0)');
  const handle = new Sqlite(file, { readonly: true });
  const reads = new SharedReads(handle);
  const select = handle.prepare<[], number>('select n from counter').pluck();
  let looks = 0;
  const look = async (same: string | null) => {
    const [n] = await reads.read(() => {
      looks++;
      return [select.get()];
    }, same);
    return n;
  };
  const write = writer.prepare('update counter set n = ?');
  return { reads, look, looks: () => looks, write: (n: number) => void write.run(n) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('equal look-ups of one snapshot are made once, others each by itself', async () => {
  const { look, looks } = counter();
  expect(await Promise.all([look('a'), look('a'), look('b'), look(null), look(null), look('a')])).toEqual(
    Array.from({ length: 6 }, () => 0),
  );
  expect(looks()).toBe(4);
  await turn();
  await look('a');
  expect(looks(), 'in the next snapshot it is made anew').toBe(5);
});

test('what was committed before a look-up it sees, whoever asked for the same before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('look', 'write', 'turn'), { maxLength: 40 }), async (steps) => {
      const { reads, look, write } = counter();
      let written = 0;
      const looks: Promise<void>[] = [];
      for (const step of steps) {
        if (step === 'turn') await turn();
        if (step === 'write') {
          write(++written);
          // As the service does after each of its own commits.
          reads.renew();
        }
        if (step !== 'look') continue;
        const least = written;
        looks.push(look('n').then((n) => expect(n).toBeGreaterThanOrEqual(least)));
      }
      await Promise.all(looks);
      await reads.drain();
    }),
    { numRuns: 60 },
  );
});

test('a look-up that fails fails for all who share it, and not for those after them', async () => {
  const { reads, look } = counter();
  const fail = () =>
    reads.read(() => {
      throw new Error('disk I/O error');
    }, 'n') as Promise<unknown[]>;
  const outcomes = await Promise.allSettled([fail(), look('n')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await turn();
  expect(await look('n')).toBe(0);
});
