import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyDatabase } from '../../src/db/copy/copy.ts';
import { openSource } from '../../src/db/copy/source.ts';
import { openDatabase } from '../../src/db/open.ts';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';

test('text of any kind arrives as it was, but for NUL, which PostgreSQL cannot keep', async () => {
  const file = join(temporaryFolder(), 'odd.db');
  const odd = ['é 漢 🙂', '"quotes" \\ and \\u0000', 'line\nbreak\ttab', '{"a":[1,null]}', '', ' ', 'nul\0'];
  const db = await openDatabase(`sqlite:${file}`);
  await db.unit((tx) =>
    tx
      .insertInto('merchants')
      .values(
        odd.map((name, i) => ({
          ...{ id: `mer_${i}` as const, name, active: 1 as const, hold: 0 as const, webhook_url: null },
          ...{ webhook_enabled: 0 as const, webhook_secret: 's', created_at: i, first_paid_at: null },
        })),
      )
      .execute(),
  );
  await db.close();
  const source = await openSource(`sqlite:${file}`);
  const target = await temporaryDatabase();
  await copyDatabase(source, target, { to: 'there', onProgress() {}, finish: async () => {} });
  await source.close();
  const rows = await target.read.selectFrom('merchants').select('name').orderBy('id').execute();
  expect(rows.map(({ name }) => name)).toEqual([...odd.slice(0, -1), 'nul\uFFFD']);
});
