import { expect, test } from 'vitest';
import { paidOrders, salesOf } from '../../src/checkout/link-store.ts';
import { createLink, listLinks } from '../../src/checkout/links.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { expectPlans, explainedDatabase } from '../support/explained.ts';
import { startService } from '../support/harness.ts';
import { insertRows, updateRows } from '../support/rows.ts';
import { NO_TERMS } from './support.ts';

test('the sum and the newest paid orders of links are exact, also of one with thousands of orders', async () => {
  const { app, merchant } = await startService();
  const { deps } = app;
  const { merchantId } = await merchant();
  /** Every third order is unpaid. */
  const isPaid = (n: number) => n % 3 > 0;
  for (const [title, uses] of Object.entries({ few: 10, most: 1990, many: 4321, more: 2000, none: 0 })) {
    const { linkId } = await createLink(deps, { merchantId, title, ...NO_TERMS });
    const numbers = Array.from({ length: uses }, (_, index) => index + 1);
    const own = { merchant_id: merchantId, link_id: linkId };
    const sessionId = (n: number): Id<'cs'> => `cs_${title}${String(n).padStart(5, '0')}`;
    await insertRows(
      deps.db,
      'checkout_sessions',
      ...numbers.map((n) => ({ ...own, id: sessionId(n), token_hash: sessionId(n) })),
    );
    await insertRows(
      deps.db,
      'transactions',
      ...numbers.map((n) => ({
        id: `tx_${title}${n}` as const,
        order_id: `${title}-${n}`,
        merchant_id: merchantId,
        session_id: sessionId(n),
        session_paid: isPaid(n) ? 1 : null,
        amount_cents: n,
        created_at: n,
        ...(isPaid(n) ? { paid_at: n } : { status: 'pending' as const, paid_method: null }),
      })),
    );
    await updateRows(deps.db, 'payment_links', { uses_count: uses }, { id: linkId });
    const newest = (await paidOrders(deps.db.read, linkId, 3)).map(({ orderId }) => orderId);
    expect(newest).toEqual(
      numbers
        .filter(isPaid)
        .slice(-3)
        .reverse()
        .map((n) => `${title}-${n}`),
    );
  }
  const paidOf = (uses: number) => Array.from({ length: uses }, (_, index) => index + 1).filter(isPaid);
  const listed = await listLinks(deps, { merchantId, limit: 100, after: undefined });
  expect(listed.map(({ title }) => title)).toEqual(['few', 'most', 'many', 'more', 'none']);
  for (const { uses, paidCount, paidTotal } of listed) {
    const paid = paidOf(uses);
    const total = paid.reduce((sum, n) => sum + n, 0) / 100;
    expect({ paidCount, paidTotal }).toEqual({ paidCount: paid.length, paidTotal: total });
  }
});

test('the sessions of a link are read in their order by an index, at most 2,000 at a time', async () => {
  const { db, explained } = await explainedDatabase();
  await paidOrders(db, 'lnk_1', 51);
  await salesOf(db, [{ id: 'lnk_1', uses_count: 5000 }]);
  expectPlans(explained, /TEMP B-TREE FOR ORDER BY|^SCAN (?!sessions)/);
  expect(explained.map(({ sql }) => /limit 2000/.test(sql))).toEqual([false, true]);
  const links = Array.from({ length: 50 }, (_, n) => ({ id: `lnk_${n}` as const, uses_count: 500 }));
  await salesOf(db, links);
  expect(explained.length).toBe(2 + 13);
});
