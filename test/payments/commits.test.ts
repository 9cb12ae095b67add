import Sqlite from 'better-sqlite3';
import { afterEach, expect, test, vi } from 'vitest';
import { writeMeta } from '../../src/db/meta.ts';
import { temporaryDatabase } from '../support/database.ts';

afterEach(() => vi.restoreAllMocks());

test('when commit and rollback both fail, the callers get the error and later calls work', async () => {
  const db = await temporaryDatabase();
  const exec = Sqlite.prototype.exec;
  const failing = new Set(['COMMIT', 'ROLLBACK']);
  vi.spyOn(Sqlite.prototype, 'exec').mockImplementation(function (this: Sqlite.Database, source: string) {
    if (failing.delete(source)) throw new Error(`disk I/O error at ${source}`);
    return exec.call(this, source);
  });
  await expect(db.unit((tx) => writeMeta(tx, 'bank', 'lost'))).rejects.toThrow('COMMIT');
  await expect(db.unit((tx) => writeMeta(tx, 'bank', 'late'))).rejects.toThrow('transaction');
  await db.unit((tx) => writeMeta(tx, 'bank', 'kept'));
  expect(await db.read.selectFrom('meta').select('value').where('key', '=', 'bank').execute()).toEqual([
    { value: 'kept' },
  ]);
});
