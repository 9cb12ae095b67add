import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { copyDatabase } from '../../src/installation/copy/copy.ts';
import { openSource } from '../../src/installation/copy/source-store.ts';
import { engine, temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { insertRows } from '../support/rows.ts';

/** Texts that a copy between two databases could change. */
const ODD_NAMES = ['é 漢 🙂', '"quotes" \\ and \\u0000', 'line\nbreak\ttab', '{"a":[1,null]}', '', ' '];

/** Copies merchants with these names from SQLite to this engine; resolves to their names there. */
async function copiedNames(names: readonly string[]): Promise<string[]> {
  const from = `sqlite:${join(temporaryFolder(), 'odd.db')}`;
  const db = await openDatabase(from);
  await insertRows(db, 'merchants', ...names.map((name, i) => ({ id: `mer_${i}` as const, name })));
  await db.close();
  const source = await openSource(from);
  const target = await temporaryDatabase();
  await copyDatabase(source, target, { to: 'there', onProgress() {}, finish: async () => {} });
  await source.close();
  const rows = await target.read.selectFrom('merchants').select('name').orderBy('id').execute();
  return rows.map(({ name }) => name);
}

test('text of any kind is copied unchanged, except NUL, which PostgreSQL cannot store', async () => {
  const nul = engine === 'postgres' ? 'nul\uFFFD' : 'nul\0';
  expect(await copiedNames([...ODD_NAMES, 'nul\0'])).toEqual([...ODD_NAMES, nul]);
});
