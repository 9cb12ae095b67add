import { expect, test } from 'vitest';
import { listTransactions } from '../../src/backoffice/transactions/list.ts';
import { createdOnDays } from '../../src/backoffice/transactions/store.ts';
import type { Deps } from '../../src/deps.ts';
import { createIds } from '../../src/kernel/ids.ts';
import { lisbonDay } from '../../src/kernel/lisbon.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { initTransaction } from '../../src/payments/init.ts';
import { setup } from './setup.ts';

/** A merchant whose concurrent orders share a commit. */
async function openOrders() {
  const { deps, merchant, init } = await setup();
  const call = { setHeader() {}, origin: undefined, referer: undefined, idempotencyKey: undefined };
  const order = (orderId: string, customer: object | undefined, used: Deps = deps) => {
    const input = { orderId, amount: 10, storeUrl: 'https://shop.pt', customer } as never;
    return initTransaction(used, { ...merchant, domains: ['shop.pt'] }, input, call);
  };
  const stored = () =>
    deps.db.read
      .selectFrom('transactions')
      .leftJoin('leads', 'leads.id', 'transactions.lead_id')
      .select(['order_id', 'email', 'orders_count', 'asked_cents'])
      .orderBy('order_id')
      .execute();
  return { deps, merchant, init, order, stored };
}

test('each order of a shared commit is stored with its own lead, or with none', async () => {
  const { order, stored } = await openOrders();
  const emails = ['rui@mail.pt', undefined, 'ana@mail.pt', 'rui@mail.pt', undefined, 'eva@mail.pt'];
  await Promise.all(emails.map((email, i) => order(`O${i}`, email === undefined ? undefined : { email })));
  expect(await stored()).toMatchObject(
    emails.map((email, i) => ({
      order_id: `O${i}`,
      email: email ?? null,
      orders_count: email === undefined ? null : emails.filter((other) => other === email).length,
    })),
  );
});

test('an order that cannot be stored fails alone among those that share its commit', async () => {
  const { deps, init, order, stored } = await openOrders();
  const taken = await init();
  const ids: Deps['ids'] = (kind) => (kind === 'tx' ? (taken as never) : deps.ids(kind));
  const customer = { email: 'ana@mail.pt' };
  const results = await Promise.allSettled([
    order('O1', customer),
    order('O2', customer, { ...deps, ids }),
    order('O3', customer),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  const lead = { ...customer, orders_count: 2, asked_cents: 2000 };
  expect(await stored()).toMatchObject([
    { order_id: 'O', email: null },
    { order_id: 'O1', ...lead },
    { order_id: 'O3', ...lead },
  ]);
});

test('around midnight, the orders that are listed on a day are those that are counted on it', async () => {
  const { deps, merchant, order } = await openOrders();
  const midnight = Date.UTC(2026, 5, 30, 23);
  for (let before = 0; before < 10; before++) {
    let at = midnight - before;
    // Each reading is a millisecond later.
    const clock = { ...deps.clock, now: () => at++ };
    await order(`O${before}`, undefined, { ...deps, clock, ids: createIds(clock, systemRandom) });
  }
  const view = { scope: merchant.id, reader: 'merchant' } as const;
  for (const day of ['2026-06-30', '2026-07-01']) {
    const days = { from: day, to: day };
    const { rows } = await listTransactions(deps, view, days, { limit: 10 });
    expect(rows.map(({ createdAt }) => lisbonDay(createdAt))).toEqual(rows.map(() => day));
    expect(await createdOnDays(deps.db.read, merchant.id, days)).toBe(rows.length);
  }
});
