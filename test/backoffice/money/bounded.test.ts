import Sqlite from 'better-sqlite3';
import { afterAll, expect, test, vi } from 'vitest';
import { showOverview, showSeries } from '../../../src/backoffice/overview/show.ts';
import { exportRows } from '../../../src/backoffice/transactions/export.ts';
import {
  currentRows,
  EXAMINED_MAX,
  type Filters,
  listTransactions,
  sumTransactions,
  type Viewpoint,
} from '../../../src/backoffice/transactions/list.ts';
import type { Id } from '../../../src/kernel/ids.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { A, openBooks } from './rows.ts';

const ROWS = 40_000;
const own: Viewpoint = { scope: A, reader: 'merchant' };
const all: Viewpoint = { scope: null, reader: 'operator' };
const statements = new Set<string>();

const prepare = Sqlite.prototype.prepare;
vi.spyOn(Sqlite.prototype, 'prepare').mockImplementation(function (this: Sqlite.Database, source: string) {
  statements.add(source);
  return prepare.call(this, source);
});
const books = await openBooks(afterAll);
await books.write((pen) => {
  // The rare transactions are the oldest.
  pen.sale({ order: 'NEEDLE-1', status: 'failed', push: '912345678', email: 'needle@shop.pt' });
  pen.sale({ order: 'NEEDLE-2', status: 'paid', reference: ['11604', '999123456'], flags: ['late'] });
  for (let n = 2; n < ROWS; n++) {
    const attempted = n % 50 === 0 ? { push: '911111111', email: `c${n % 5000}@shop.pt` } : {};
    pen.sale({ order: `O-${n}`, status: n % 3 === 0 ? 'paid' : 'cancelled', ...attempted });
  }
});
statements.clear();

afterAll(() => {
  vi.restoreAllMocks();
});

/** Reads all pages. Returns the rows found and the number of table rows between one cursor and the next. */
async function pages(view: Viewpoint, filters: Filters, limit = 50) {
  const handle = new Sqlite(books.file, { readonly: true });
  const behind = handle.prepare('select count(*) as count from transactions where id >= ?').pluck();
  const found: string[] = [];
  const examined: number[] = [];
  let cursor: string | null = null;
  let seen = 0;
  do {
    const page = await listTransactions(books, view, filters, { limit, cursor });
    found.push(...page.rows.map((row) => row.orderId));
    cursor = page.nextCursor;
    const now = cursor === null ? ROWS : Number(behind.get(cursor));
    examined.push(now - seen);
    seen = now;
  } while (cursor !== null);
  handle.close();
  return { found, examined };
}

test.for([own, all])(
  'a rare state is found at the end of 40,000 rows with at most 2,000 examined per page',
  async (view) => {
    const { found, examined } = await pages(view, { state: 'failed' });
    expect(found).toEqual(['NEEDLE-1']);
    expect(Math.max(...examined)).toBeLessThanOrEqual(EXAMINED_MAX);
    expect(examined.length).toBe(ROWS / EXAMINED_MAX + 1);
  },
);

test('every statement of list, open list, export and overview uses an index and sorts only bounded rows', async () => {
  const filters: Filters[] = [
    ...[
      {},
      { state: 'paid' as const },
      { method: 'MBWAY' as const },
      { from: '2026-01-10', to: '2026-01-12' },
    ],
    ...[{ search: 'O' }, { search: 'O-19999' }, { search: '911111111' }, { search: '912345678 needle' }],
    ...[
      { search: '11604 999123456' },
      { search: 'c1@shop.pt' },
      { search: 'tx_01kabcdef' },
      { attention: true },
    ],
    ...[{ attention: true, search: 'O', state: 'paid' as const, method: 'REFERENCE' as const }],
  ];
  for (const view of [own, all]) {
    for (const filter of filters) {
      const page = await listTransactions(books, view, filter, { limit: 50, cursor: null });
      const { nextCursor: cursor } = page;
      if (cursor !== null) await listTransactions(books, view, filter, { limit: 50, cursor });
      const sum = await sumTransactions(books, view, filter);
      expect(sum.count).toBeLessThanOrEqual(1000);
    }
  }
  await sumTransactions(books, all, { by: 'paid', from: '2026-01-10', to: '2026-01-12' });
  const { rows } = await listTransactions(books, own, {}, { limit: 50, cursor: null });
  await currentRows(
    books,
    own,
    rows.map((row) => row.transactionId as Id<'tx'>),
  );
  const deps = { db: books.db, clock: fakeClock() };
  await exportRows(deps, A, {});
  await showOverview(deps, A);
  await showSeries(deps, A, 90);

  const handle = new Sqlite(books.file, { readonly: true });
  const faults: string[] = [];
  for (const source of [...statements]) {
    if (!/^\s*(select|with)/i.test(source)) continue;
    const values = Array.from(source.matchAll(/\?/g), () => null);
    const plan = handle.prepare(`explain query plan ${source}`).all(...values) as { detail: string }[];
    for (const { detail } of plan) {
      // A list in a sub-query, or an index with few rows.
      const few =
        /^SCAN (newest|first|other|open|totals|merchants|\d+ CONSTANT)|receipts_open|transactions_held/.test(
          detail,
        );
      if (/^SCAN/.test(detail) && !few) faults.push(`${detail}: ${source}`);
      // Led by the merchant alone, an index of these is read as far as the merchant's rows go.
      const readsMerchant = /^SEARCH (transactions|attempts|receipts|leads) .*\(merchant_id=\?\)/.test(
        detail,
      );
      if (readsMerchant && !few) faults.push(`${detail}: ${source}`);
    }
    const details = plan.map(({ detail }) => detail).join('\n');
    const walks = /from "transactions" where.*"id" < \?.* desc limit/.test(source);
    if (walks && /TEMP B-TREE|MULTI-INDEX/.test(details)) faults.push(`${details}: ${source}`);
  }
  handle.close();
  expect(faults).toEqual([]);
  expect(statements.size).toBeGreaterThan(40);
});
