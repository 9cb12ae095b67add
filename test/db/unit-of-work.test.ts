import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { afterCommit, beforeCommit, type Tx } from '../../src/db/database.ts';
import { type MetaKey, readMeta, writeMeta } from '../../src/db/meta.ts';
import { openDatabase } from '../../src/db/open.ts';
import { prepared } from '../../src/db/prepared.ts';
import { databaseUrl, engine, sqliteFile, temporaryDatabase, temporaryFolder } from '../support/database.ts';

const put = (tx: Tx, key: string) => tx.insertInto('meta').values({ key, value: '' }).execute();
const putAll = async (tx: Tx, keys: readonly string[]) => {
  for (const key of keys) await put(tx, key);
};

test('a transaction resolves only after its commit, when another connection sees its rows', async () => {
  const { file, db } = await sqliteFile();
  const witness = new Sqlite(file, { readonly: true });
  const count = witness.prepare('select count(*) as n from meta').pluck();
  const before = count.get() as number;
  const seenInside: unknown[] = [];
  const seenAfter = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      db
        .unit(async (tx) => {
          await tx
            .insertInto('meta')
            .values({ key: `k${i}`, value: '' })
            .execute();
          seenInside.push(count.get());
        })
        .then(() => count.get()),
    ),
  );
  expect(new Set(seenInside)).toEqual(new Set([before]));
  expect(new Set(seenAfter)).toEqual(new Set([before + 20]));
  // FULL: each commit is forced to disk.
  const { rows } = await db.unit((tx) => sql`pragma synchronous`.execute(tx));
  expect(rows).toEqual([{ synchronous: 2 }]);
  witness.close();
});

const writeKey = prepared((db, { key }: { key: string }) =>
  db.insertInto('meta').values({ key: key as MetaKey, value: '' }),
);
const writeKeyReturning = prepared((db, { key }: { key: string }) =>
  db
    .insertInto('meta')
    .values({ key: key as MetaKey, value: '' })
    .returning('key'),
);
/** The ways in which a statement reaches the engine. */
const WRITES: readonly ((tx: Tx, key: string) => Promise<unknown>)[] = [
  put,
  (tx, key) => sql`insert into meta (key, value) values (${key}, '')`.execute(tx),
  (tx, key) => writeKey(tx, { key }),
  (tx, key) => writeKeyReturning(tx, { key }),
];

test.each<[string, (tx: Tx) => Promise<unknown>]>([
  // As SQLite itself does when the disk is full or does not answer.
  ['a failure that rolls back the shared commit', (tx) => put(tx, 'k full').catch(() => {})],
  [
    'a failure of the shared commit itself',
    async (tx) => {
      await sql`pragma defer_foreign_keys = on`.execute(tx);
      await tx.insertInto('event_counters').values({ merchant_id: 'mer_none', last_sequence: 1 }).execute();
    },
  ],
])('%s fails every transaction in it', async (_name, fail) => {
  const { file, db } = await sqliteFile();
  const handle = new Sqlite(file);
  handle.exec(
    `create trigger refuse before insert on meta when new.key = 'k full' begin select raise(rollback, 'full'); end`,
  );
  const results = await Promise.allSettled([
    db.unit((tx) => put(tx, 'k before')),
    db.unit(fail),
    db.unit((tx) => put(tx, 'k after')),
  ]);
  expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'rejected']);
  const kept = await db.read.selectFrom('meta').select('key').where('key', 'like', 'k %').execute();
  expect(kept).toEqual([]);
  await db.unit((tx) => put(tx, 'k again'));
  handle.close();
});

test('each transaction of a shared commit leaves all of its rows or none, and its after-commit work runs once', async () => {
  const db = await temporaryDatabase();
  let round = 0;
  const unit = fc.record({
    rows: fc.nat(WRITES.length),
    fails: fc.constantFrom(null, 'before', 'after', 'within'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(unit, { minLength: 1, maxLength: 12 }), async (units) => {
      round++;
      const committed: number[] = [];
      const results = await Promise.allSettled(
        units.map(({ rows, fails }, i) =>
          db.unit(async (tx) => {
            afterCommit(tx, () => committed.push(i));
            beforeCommit(tx, putAll, `${round} ${i} deferred`);
            if (fails === 'before') throw new Error(`${i} fails`);
            for (const [row, write] of WRITES.slice(0, rows).entries())
              await write(tx, `${round} ${i} ${row}`);
            if (fails === 'after') {
              const ofRound = `${round} %` as MetaKey;
              await tx.updateTable('meta').set({ value: 'lost' }).where('key', 'like', ofRound).execute();
              if (rows > 1) await tx.deleteFrom('meta').where('key', 'like', ofRound).execute();
              throw new Error(`${i} fails`);
            }
            // The key exists: the statement fails, and the transaction with it.
            if (fails === 'within') await put(tx, 'schema_version');
            return i;
          }),
        ),
      );
      const good = units.flatMap(({ fails }, i) => (fails === null ? [i] : []));
      expect(results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))).toEqual(good);
      for (const [i, { fails }] of units.entries()) {
        const result = results[i];
        if ((fails === 'before' || fails === 'after') && result?.status === 'rejected')
          expect(result.reason).toEqual(new Error(`${i} fails`));
      }
      expect(committed.sort((a, b) => a - b)).toEqual(good);
      const kept = await db.read
        .selectFrom('meta')
        .select('key')
        .where('key', 'like', `${round} %` as MetaKey)
        .where('value', '=', '')
        .execute();
      const wanted = good.flatMap((i) => [
        ...Array.from({ length: units[i]?.rows ?? 0 }, (_, row) => `${round} ${i} ${row}`),
        `${round} ${i} deferred`,
      ]);
      expect(kept.map(({ key }): string => key).sort()).toEqual(wanted.sort());
    }),
    { numRuns: engine === 'sqlite' ? 60 : 8 },
  );
});

test.each([false, true])(
  'a database closes once its waiting transactions have ended (shared: %s)',
  async (shared) => {
    const db = await openDatabase(await databaseUrl(temporaryFolder(), onTestFinished));
    await db.unit((tx) => put(tx, 'first'));
    const waiting = Array.from({ length: 200 }, (_, place) =>
      db.unit((tx) => put(tx, `k${place}`), { shared }),
    );
    await db.close();
    await Promise.all(waiting);
  },
);

test.runIf(engine === 'sqlite')('a file is closed once the waiting snapshots have ended', async () => {
  const db = await openDatabase(await databaseUrl(temporaryFolder(), onTestFinished));
  const snapshots = Array.from({ length: 5 }, () => db.snapshot((read) => readMeta(read, 'bank')));
  await db.close();
  await Promise.all(snapshots);
});

test('a transaction waits for a database that another process locks briefly', async () => {
  const { file, db } = await sqliteFile();
  const other = new Sqlite(file);
  other.exec('BEGIN IMMEDIATE');
  const unit = db.unit((tx) => writeMeta(tx, 'bank', 'sandbox'));
  setImmediate(() => setImmediate(() => other.exec('COMMIT')));
  await unit;
  expect(await readMeta(db.read, 'bank')).toBe('sandbox');
  other.close();
});

test('when commit and rollback both fail, the callers get the error and later calls work', async () => {
  const { db } = await sqliteFile();
  onTestFinished(() => void vi.restoreAllMocks());
  const exec = Sqlite.prototype.exec;
  const failing = new Set(['COMMIT', 'ROLLBACK']);
  vi.spyOn(Sqlite.prototype, 'exec').mockImplementation(function (this: Sqlite.Database, source: string) {
    if (failing.delete(source)) throw new Error(`disk I/O error at ${source}`);
    return exec.call(this, source);
  });
  await expect(db.unit((tx) => writeMeta(tx, 'bank', 'lost'))).rejects.toThrow('COMMIT');
  await expect(db.unit((tx) => writeMeta(tx, 'bank', 'late'))).rejects.toThrow('transaction');
  await db.unit((tx) => writeMeta(tx, 'bank', 'kept'));
  expect(await readMeta(db.read, 'bank')).toBe('kept');
});
