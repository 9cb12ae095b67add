import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import type { Queryable } from '../../src/db/database.ts';

/** Sums by merchant, day, method and column. */
type Sums = Map<string, number>;

/** Throws unless the daily totals, added up over their shards, equal a full recount. */
export async function checkTotals(db: Queryable): Promise<void> {
  const days = await db.selectFrom('daily_totals').selectAll().execute();
  const methodDays = await db.selectFrom('daily_method_totals').selectAll().execute();
  const stored: Sums = new Map();
  for (const { part: _, merchant_id, day, ...numbers } of days) add(stored, `${merchant_id} ${day}`, numbers);
  for (const { part: _, merchant_id, day, method, ...numbers } of methodDays)
    add(stored, `${merchant_id} ${day} ${method}`, numbers);
  deepStrictEqual(withoutZeros(stored), withoutZeros(await recount(db)));
}

/** The expected daily totals, counted from transactions, attempts and events. */
async function recount(db: Queryable): Promise<Sums> {
  const transactions = await db.selectFrom('transactions').selectAll().execute();
  const attempts = await db.selectFrom('attempts').selectAll().where('accepted', '=', 1).execute();
  // In the order of their commits, where they are numbered; ids follow a clock that may have been set back.
  const events = await db
    .selectFrom('events')
    .selectAll()
    .orderBy('sequence', (order) => order.asc().nullsLast())
    .orderBy('id')
    .execute();
  const sums: Sums = new Map();
  for (const { merchant_id, created_at, amount_cents: created_cents } of transactions)
    add(sums, `${merchant_id} ${calendarDay(created_at)}`, { created_count: 1, created_cents });
  for (const { merchant_id, created_at, method } of attempts)
    add(sums, `${merchant_id} ${calendarDay(created_at)} ${method}`, { attempts_count: 1 });
  const ended = new Set<string>();
  for (const { transaction_id: id, kind, created_at } of events) {
    if (id === null) continue;
    const transaction = transactions.find((row) => row.id === id);
    if (transaction === undefined) throw new Error(`there is no transaction ${id}`);
    const { merchant_id, amount_cents: cents, paid_at, paid_method } = transaction;
    if (!ended.has(id))
      add(sums, `${merchant_id} ${calendarDay(created_at)}`, { ended_count: 1, ended_cents: cents });
    ended.add(id);
    if (kind === 'payment.success') {
      const day = calendarDay(Number(paid_at));
      add(sums, `${merchant_id} ${day} ${paid_method}`, { paid_count: 1, paid_cents: cents });
    }
  }
  const pending = transactions.filter(({ status }) => status === 'pending').length;
  strictEqual(transactions.length - ended.size, pending, 'each ended transaction has an event');
  return sums;
}

/** The calendar day in Lisbon, computed independently of the service. */
function calendarDay(instant: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Lisbon' }).format(instant);
}

function add(sums: Sums, row: string, numbers: Record<string, number>): void {
  sums.set(row, 1);
  for (const [column, value] of Object.entries(numbers))
    sums.set(`${row} ${column}`, (sums.get(`${row} ${column}`) ?? 0) + value);
}

function withoutZeros(sums: Sums): Sums {
  return new Map([...sums].filter(([, value]) => value !== 0));
}
