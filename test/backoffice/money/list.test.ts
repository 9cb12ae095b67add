import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { transactionsCsv } from '../../../src/backoffice/transactions/export.ts';
import {
  type Filters,
  listTransactions,
  sumTransactions,
  type Viewpoint,
} from '../../../src/backoffice/transactions/list.ts';
import type { ListedTransaction } from '../../../src/backoffice/transactions/view.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import type { Language } from '../../../src/kernel/language.ts';
import { insertRows } from '../../support/rows.ts';
import { allRows } from '../support.ts';
import { A, type Books, openBooks, type Sale, START } from './rows.ts';

const own: Viewpoint = { scope: A, reader: 'merchant' };
const all: Viewpoint = { scope: null, reader: 'operator' };

async function everything(
  books: Books,
  filters: Filters,
  options: { view?: Viewpoint; limit?: number } = {},
): Promise<ListedTransaction[]> {
  const { view = own, limit = 100 } = options;
  return await allRows((cursor) => listTransactions(books, view, filters, { limit, cursor }));
}

const idsOf = (rows: readonly ListedTransaction[]) => rows.map((row) => row.transactionId);

test('filters by state, method, Lisbon day and attention work alone and together', async () => {
  const books = await openBooks(onTestFinished);
  const summer = Date.UTC(2026, 6, 1, 22, 59, 59, 999);
  const sales: (Sale & { at: number })[] = [
    { at: START, status: 'paid', push: '912345678' },
    { at: START + DAY_MS, status: 'failed', push: '912345678' },
    { at: START + 2 * DAY_MS, status: 'paid', reference: ['11604', '999123456'], flags: ['duplicate'] },
    { at: START + 3 * DAY_MS, status: 'pending', reference: ['11604', '999123457'], flags: ['under'] },
    { at: START + 4 * DAY_MS, status: 'paid', push: '912345678', flags: ['late', 'over'], settled: true },
    { at: START + 5 * DAY_MS, status: 'pending', held: 1, push: '912345678', flags: ['over'] },
    { at: summer, status: 'cancelled' },
    { at: summer + 1, status: 'cancelled' },
  ];
  const ids: string[] = [];
  await books.write((pen) => {
    for (const sale of sales) ids.push(pen.sale(sale));
  });
  const places = async (filters: Filters, view: Viewpoint = own) =>
    (await everything(books, filters, { view, limit: 2 }))
      .map((row) => ids.indexOf(row.transactionId))
      .reverse();
  expect(await places({})).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(await places({ state: 'paid' })).toEqual([0, 2, 4]);
  expect(await places({ state: 'pending' })).toEqual([3, 5]);
  expect(await places({ method: 'REFERENCE' })).toEqual([2, 3]);
  expect(await places({ method: 'MBWAY', state: 'failed' })).toEqual([1]);
  expect(await places({ from: '2026-01-11', to: '2026-01-12' })).toEqual([1, 2]);
  expect(await places({ to: '2026-07-01', state: 'cancelled' })).toEqual([6]);
  expect(await places({ from: '2026-07-02' })).toEqual([7]);
  expect(await places({ from: '2026-07-02', to: '9999-12-31' })).toEqual([7]);
  expect(await places({ attention: true })).toEqual([2, 3]);
  expect(await places({ attention: true, state: 'paid', search: '999123456' })).toEqual([2]);
  // A held sale appears pending to its merchant, money and flags included; the operator sees it.
  const [held] = await everything(books, { state: 'pending', method: 'MBWAY' });
  expect(held).toMatchObject({ held: false, paidAt: null, attention: [], status: 'pending' });
  const operator: Viewpoint = { scope: null, reader: 'operator' };
  expect(await places({ attention: true }, operator)).toEqual([2, 3, 5]);
  await expect(places({ from: '2026-02-30' })).rejects.toThrow(/not a valid date/);
  // The sum is that of the rows which the same filters show.
  for (const filters of [{}, { state: 'paid' as const }, { attention: true }, { search: '912345678' }]) {
    const shown = await everything(books, filters);
    const cents = shown.reduce((total, row) => total + row.amountCents, 0);
    expect(await sumTransactions(books, own, filters)).toEqual({ count: shown.length, cents, more: false });
  }
});

test('the sales of a day are listed by day of payment, whenever they were created and however many there are', async () => {
  const books = await openBooks(onTestFinished);
  const day = '2026-01-10';
  const expected: string[] = [];
  await books.write((pen) => {
    expected.push(pen.sale({ at: START - 3 * DAY_MS, paidAt: START, status: 'paid' }));
    for (let n = 0; n < 1200; n++) expected.push(pen.sale({ at: START + n, status: 'paid' }));
    for (let n = 0; n < 2500; n++) pen.sale({ at: START + DAY_MS + n, status: 'paid' });
    // Money that came before its order.
    expected.push(pen.sale({ at: START + 2 * DAY_MS, paidAt: START, status: 'paid' }));
    for (let n = 0; n < 2500; n++) pen.sale({ at: START + 3 * DAY_MS + n, status: 'paid' });
  });
  for (const view of [own, all]) {
    const rows = await everything(books, { from: day, to: day, by: 'paid' }, { view });
    expect(idsOf(rows)).toEqual(expected.toReversed());
  }
});

test('open receipts without a transaction hide no transaction that needs attention', async () => {
  const books = await openBooks(onTestFinished);
  const unmatched = { account_id: 'acc_1', unmatched: 1 } as const;
  const rows = Array.from({ length: 1001 }, (_, n) => ({
    ...unmatched,
    id: `rcp_00${n}` as const,
    identity: `${n}`,
  }));
  await insertRows(books.db, 'receipts', ...rows);
  const ids: string[] = [];
  await books.write((pen) => ids.push(pen.sale({ status: 'paid', flags: ['duplicate'] })));
  expect(idsOf(await everything(books, { attention: true }, { view: all }))).toEqual(ids);
});

test('pages of any size neither repeat nor skip rows while transactions arrive', async () => {
  const books = await openBooks(onTestFinished);
  const states = ['pending', 'paid', 'failed', 'cancelled'] as const;
  await books.write((pen) => {
    for (let n = 0; n < 300; n++)
      pen.sale({ order: `O-${n % 7}`, status: states[n % 4] as 'paid', push: '912345678' });
  });
  const known = idsOf(await everything(books, {}));
  expect(known).toHaveLength(300);
  const filters = fc.record(
    { state: fc.constantFrom(...states), search: fc.constantFrom('O-3', '912345678', '-3', 'none') },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(filters, fc.integer({ min: 1, max: 60 }), async (filter, limit) => {
      const whole = idsOf(await everything(books, filter as Filters, { limit: 100 })).filter((id) =>
        known.includes(id),
      );
      const rows = await allRows(async (cursor) => {
        const page = await listTransactions(books, own, filter as Filters, { limit, cursor });
        await books.write((pen) => pen.sale({ order: 'O-3', status: 'paid', push: '912345678' }));
        return page;
      });
      expect(idsOf(rows).filter((id) => known.includes(id))).toEqual(whole);
      expect(new Set(idsOf(rows)).size).toBe(rows.length);
    }),
    { numRuns: 15 },
  );
  const cursor = `${known[0]}'`;
  await expect(listTransactions(books, own, {}, { limit: 1, cursor })).rejects.toThrow(/cursor/);
});

test('the export contains every row of the list once, in the language of the page', async () => {
  const books = await openBooks(onTestFinished);
  await books.write((pen) => {
    for (let n = 0; n < 1200; n++) pen.sale({ order: `O-${n}`, status: n === 3 ? 'failed' : 'paid' });
  });
  const read = async (filters: Filters, language: Language = 'en') => {
    const pieces: string[] = [];
    for await (const piece of transactionsCsv(books, own, filters, language)) pieces.push(piece);
    const text = pieces.join('');
    const lines = text.split('\r\n').slice(1, -1);
    return { text, pieces: pieces.length, orders: lines.map((line) => line.split(',')[1]) };
  };
  const { pieces, orders } = await read({});
  expect(orders).toEqual(Array.from({ length: 1200 }, (_, n) => `O-${1199 - n}`));
  expect(pieces).toBeGreaterThan(3);
  expect((await read({ state: 'failed' })).orders).toEqual(['O-3']);
  const { text } = await read({ state: 'failed' }, 'pt');
  expect(text).toMatch(/^\ufeffTransação;.*\r\ntx_\w+;O-3;Falhou;.*;"\d+,\d\d";/);
});
