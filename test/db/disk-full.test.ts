import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { unusable } from '../../src/db/sqlite/open.ts';
import { showTransaction } from '../../src/payments/show.ts';
import { rowsIn } from '../support/database.ts';
import { ORDER, startWithMerchant } from '../support/harness.ts';

const PAGES_MAX = 2 ** 30;
/** So large that a few orders fill the remaining space on half-filled pages. */
const ITEMS = Array.from({ length: 40 }, (_, i) => ({
  id: `SKU-${i}`,
  name: 'Mug '.repeat(100),
  quantity: 1,
  priceInCents: 100,
}));

/** Lets the file have `spare` pages more than it has: beyond them SQLite finds the disk full. */
async function leaveSpace(db: Database, spare: number): Promise<void> {
  await db.unit(async (tx) => {
    const { rows } = await sql.raw<{ page_count: number }>('pragma page_count').execute(tx);
    await sql
      .raw(`pragma max_page_count = ${Math.min(PAGES_MAX, (rows[0]?.page_count ?? 0) + spare)}`)
      .execute(tx);
  });
}

test('on a full disk init answers 500 and writes nothing, reads continue, and all works again when there is space', async () => {
  const { service, merchant } = await startWithMerchant({ env: { SERVICE_MBWAY_WINDOW_SECONDS: '240' } });
  const { db } = service.app.deps;
  const open = await merchant.push('931112301');
  const acknowledged = [open];
  let orders = 0;
  const init = async () => {
    const orderId = `ORDER-${orders++}`;
    const customer = { name: 'Ana Silva', email: `${orderId.toLowerCase()}@shop.pt` };
    const answer = await merchant.post('/payments/init', { ...ORDER, orderId, customer, items: ITEMS });
    if (answer.status === 200) acknowledged.push(answer.body.transactionId);
    else expect([answer.status, answer.body.code]).toEqual([500, 'INTERNAL_ERROR']);
    return answer.status;
  };

  await leaveSpace(db, 2);
  let refused = 0;
  for (let round = 0; round < 10; round++) {
    const statuses = await Promise.all(Array.from({ length: 5 }, init));
    refused += statuses.filter((status) => status === 500).length;
  }
  expect(refused).toBeGreaterThan(40);
  const stored = async () => {
    const { orders } = await db.read
      .selectFrom('leads')
      .select((eb) => eb.fn.sum('orders_count').as('orders'))
      .executeTakeFirstOrThrow();
    return { transactions: await rowsIn(db, 'transactions'), orders: Number(orders) };
  };
  expect(await stored()).toEqual({ transactions: acknowledged.length, orders: acknowledged.length });
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  expect((await merchant.status(open)).status).toBe('pending');
  // The customer pays while the service cannot record it.
  await service.control('/mbway', { phoneNumber: '931112301', outcome: 'accept' });

  await leaveSpace(db, PAGES_MAX);
  expect(await init()).toBe(200);
  await merchant.reaches(open, 'paid');
  expect((await showTransaction(service.app.deps, open)).receipts).toHaveLength(1);
  expect(await stored()).toEqual({ transactions: acknowledged.length, orders: acknowledged.length });
  for (const id of acknowledged)
    expect((await merchant.get(`/payments/status?transactionId=${id}`)).status).toBe(200);
});

test('a start on a full disk says so', () => {
  // What SQLite reports when it cannot create the -shm file.
  const error = Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_SHMSIZE' });
  expect(unusable('/data/service.db', error).message).toMatch(
    /\/data\/service\.db: the disk is full; free space/,
  );
});
