import { expect, test } from 'vitest';
import {
  type CaseQuery,
  caseRows,
  countOpen,
  transactionsNearby,
  transactionsOfReference,
} from '../../src/backoffice/exceptions/store.ts';
import { heldRows, heldTotals } from '../../src/backoffice/review/store.ts';
import type { Database } from '../../src/db/database.ts';
import { cents } from '../../src/kernel/money.ts';
import { explainedDatabase } from '../support/explained.ts';

/** The plan of the last statement of `run`: one line per table. */
async function planOf(run: (db: Database['read']) => Promise<unknown>): Promise<string[]> {
  const { db, explained } = await explainedDatabase();
  await run(db);
  return explained.at(-1)?.plan ?? [];
}

const QUERY: CaseQuery = {
  ...{ viewer: null, merchantId: null, flag: null, settled: false, recordedBefore: null, after: null },
  limit: 26,
};

test.for<[string, Partial<CaseQuery>, string]>([
  ['all open ones', {}, 'receipts_open'],
  ['the next page of them', { after: 'rcp_1' }, 'receipts_open'],
  ['a merchant of them', { viewer: 'mer_1' }, 'receipts_open_merchant'],
  ['the unmatched ones', { flag: 'unmatched' }, 'receipts_open_unmatched'],
  ['the settled ones', { settled: true }, 'receipts_settled'],
  [
    'the settled ones of a merchant',
    { settled: true, viewer: 'mer_1', after: 'rcp_1' },
    'receipts_settled_merchant',
  ],
])('a page of cases is read in the order of a partial index: %s', async ([, query, index]) => {
  const plan = await planOf((db) => caseRows(db, { ...QUERY, ...query }));
  expect(plan[0]).toMatch(new RegExp(`(SEARCH|SCAN) receipts USING INDEX ${index}\\b`));
  expect(plan.join()).not.toMatch(/TEMP B-TREE/);
});

test('counts, held transactions and candidates are found by an index', async () => {
  const count = await planOf((db) => countOpen(db, 'mer_1', null, 100));
  expect(count.join()).toContain('receipts_open_merchant');
  const held = await planOf((db) => heldRows(db, { merchantId: null, after: null, limit: 51 }));
  expect(held.join()).toContain('transactions_held');
  const totals = await planOf((db) => heldTotals(db, 100));
  expect(totals.join()).toContain('transactions_held');
  const digits = { entity: '11990', reference: '123456789' };
  const reference = await planOf((db) => transactionsOfReference(db, digits, null, 10));
  expect(reference.join()).toContain('attempts_reference_number');
  const near = {
    from: 'tx_1',
    to: 'tx_2',
    owner: null,
    amount: cents(1),
    examinedMax: 9,
    limit: 3,
  } as const;
  const nearby = await planOf((db) => transactionsNearby(db, near));
  expect(nearby.join()).toMatch(/SEARCH transactions USING INDEX sqlite_autoindex/);
});
