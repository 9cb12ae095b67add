import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { afterCommit } from '../../src/db/database.ts';
import { readMeta, writeMeta } from '../../src/db/meta.ts';
import { openDatabase } from '../../src/db/open.ts';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';

test('a unit resolves only after its commit: another connection sees its rows by then', async () => {
  const file = join(temporaryFolder(), 'service.db');
  const db = await openDatabase(`sqlite:${file}`);
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
  witness.close();
  await db.close();
});

test('units that wait together share one commit; a failing one leaves nothing and hurts no neighbour', async () => {
  const db = await temporaryDatabase();
  const results = await Promise.allSettled(
    Array.from({ length: 9 }, (_, i) =>
      db.unit(async (tx) => {
        await tx
          .insertInto('meta')
          .values({ key: `k${i}`, value: '' })
          .execute();
        if (i % 3 === 1) throw new Error(`unit ${i} fails`);
        return i;
      }),
    ),
  );
  expect(results.map((result) => result.status === 'fulfilled')).toEqual(
    Array.from({ length: 9 }, (_, i) => i % 3 !== 1),
  );
  const rows = await db.read
    .selectFrom('meta')
    .select('key')
    .where('key', 'like', 'k%')
    .orderBy('key')
    .execute();
  expect(rows.map((row) => row.key)).toEqual(['k0', 'k2', 'k3', 'k5', 'k6', 'k8']);
});

test('what a unit asks for after its commit runs after it, and never when it failed', async () => {
  const db = await temporaryDatabase();
  const ran: string[] = [];
  await Promise.allSettled([
    db.unit(async (tx) => {
      afterCommit(tx, () => ran.push('good'));
      await writeMeta(tx, 'bank', 'sandbox');
      expect(ran).toEqual([]);
    }),
    db.unit(async (tx) => {
      afterCommit(tx, () => ran.push('bad'));
      throw new Error('fails');
    }),
  ]);
  expect(ran).toEqual(['good']);
  expect(await readMeta(db.read, 'bank')).toBe('sandbox');
});

test('a database that another process holds locked for a moment is waited for', async () => {
  const file = join(temporaryFolder(), 'service.db');
  const db = await openDatabase(`sqlite:${file}`);
  const other = new Sqlite(file);
  other.exec('BEGIN IMMEDIATE');
  const unit = db.unit((tx) => writeMeta(tx, 'bank', 'sandbox'));
  setImmediate(() => setImmediate(() => other.exec('COMMIT')));
  await unit;
  expect(await readMeta(db.read, 'bank')).toBe('sandbox');
  other.close();
  await db.close();
});
