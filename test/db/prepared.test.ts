import { expect, test } from 'vitest';
import { columnsOf, prepared } from '../../src/db/prepared.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { temporaryDatabase } from '../support/database.ts';

interface Named {
  id: Id<'mer'>;
  name: string;
  created_at: number;
  webhook_url: string | null;
}

test('a prepared query is built once, takes new values each time, also null, and keeps its own', async () => {
  let built = 0;
  const insert = prepared((db, row: Named) => {
    built++;
    return db.insertInto('merchants').values({
      ...columnsOf(row, ['id', 'name', 'created_at', 'webhook_url']),
      active: 1,
      hold: 0,
      webhook_enabled: 0,
      webhook_secret: 'sealed',
      first_paid_at: null,
      previous_webhook_secret: null,
      previous_secret_until: null,
    });
  });
  const find = prepared((db, { id }: { id: Id<'mer'> }) =>
    db.selectFrom('merchants').select(['name', 'webhook_url', 'active']).where('id', '=', id),
  );
  const db = await temporaryDatabase();
  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      db.unit((tx) =>
        insert(tx, {
          id: `mer_${i}`,
          name: `Shop ${i}`,
          created_at: i,
          webhook_url: i % 2 === 0 ? null : `https://shop-${i}.pt`,
        }),
      ),
    ),
  );
  expect(built).toBe(1);
  const found = await Promise.all([7, 8].map((i) => find(db.read, { id: `mer_${i}` })));
  expect(found).toEqual([
    [{ name: 'Shop 7', webhook_url: 'https://shop-7.pt', active: 1 }],
    [{ name: 'Shop 8', webhook_url: null, active: 1 }],
  ]);
});

test('inside a unit a prepared query sees the unit’s own writes, and a failing unit leaves none of them', async () => {
  const rename = prepared((db, { id, name }: { id: Id<'mer'>; name: string }) =>
    db.updateTable('merchants').set({ name }).where('id', '=', id).returning('name'),
  );
  const db = await temporaryDatabase();
  const failed = db.unit(async (tx) => {
    await tx
      .insertInto('merchants')
      .values({
        id: 'mer_1',
        name: 'Before',
        active: 1,
        hold: 0,
        webhook_url: null,
        webhook_enabled: 0,
        webhook_secret: 'sealed',
        previous_webhook_secret: null,
        previous_secret_until: null,
        first_paid_at: null,
        created_at: 0,
      })
      .execute();
    expect(await rename(tx, { id: 'mer_1', name: 'After' })).toEqual([{ name: 'After' }]);
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  expect(await db.read.selectFrom('merchants').selectAll().execute()).toEqual([]);
});
