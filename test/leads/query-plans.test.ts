import { expect, test } from 'vitest';
import type { Deps } from '../../src/deps.ts';
import { searchLeads } from '../../src/leads/search.ts';
import { expectPlans, explainedDatabase } from '../support/explained.ts';

test('every search of leads uses an index and none sorts the register', async () => {
  const { db, handle, explained } = await explainedDatabase();
  handle.exec(`
    pragma foreign_keys = off;
    with n (i) as (values (1), (2))
    insert into leads (id, merchant_id, identity, email, phone, name, campaign, first_seen_at, last_seen_at, orders_count, asked_cents, paid_count, paid_cents)
    select 'led_' || i, 'mer_1', 'email:ana' || i, 'ana' || i, '961222333', 'Ana', 'x', 1, 1, 1, 1, 0, 0 from n;
  `);
  const deps = { db: { read: db } } as unknown as Pick<Deps, 'db'>;
  for (const search of [
    {},
    { text: 'ana' },
    { text: '961222333' },
    { campaign: 'x' },
    { state: 'erased' },
  ] as const) {
    for (const each of [search, { ...search, merchantId: 'mer_1' } as const]) {
      const { nextCursor } = await searchLeads(deps, each, { limit: 1 });
      if (nextCursor !== null) await searchLeads(deps, each, { limit: 1, cursor: nextCursor });
    }
  }
  expect(explained.length).toBeGreaterThanOrEqual(12);
  expectPlans(explained, /^SCAN leads(?! USING INDEX)|TEMP B-TREE FOR ORDER BY/);
  // A search must not read all leads of its merchant.
  const searches = explained.filter(({ sql }) => !/order by "leads"\."id" desc/.test(sql));
  expectPlans(searches, /\(merchant_id=\?\)/);
  const campaigns = explained.filter(({ sql }) => /"leads"\."campaign" = /.test(sql));
  expect(campaigns.length).toBeGreaterThan(0);
  for (const { plan } of campaigns)
    expect(plan.join()).toMatch(/INDEX leads_campaign \(merchant_id=\? AND campaign=\?/);
});
