import { expect } from 'vitest';
import type { Queryable } from '../../src/db/database.ts';

type Row = Record<string, string | number>;

/** The calendar day in Lisbon, computed independently of the service. */
function calendarDay(instant: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Lisbon' }).format(instant);
}

/** The expected daily totals, counted from transactions, attempts and events. */
async function recount(db: Queryable): Promise<{ days: Row[]; methodDays: Row[] }> {
  const transactions = await db.selectFrom('transactions').selectAll().execute();
  const attempts = await db.selectFrom('attempts').selectAll().execute();
  const events = await db
    .selectFrom('events')
    .selectAll()
    .where('transaction_id', 'is not', null)
    .orderBy('id')
    .execute();
  const days = new Map<string, Row>();
  const methodDays = new Map<string, Row>();
  const add = (sums: Map<string, Row>, key: Row, zero: Row, numbers: Record<string, number>) => {
    const name = JSON.stringify(key);
    const row = sums.get(name) ?? { ...key, ...zero };
    sums.set(name, row);
    for (const [column, value] of Object.entries(numbers)) row[column] = Number(row[column]) + value;
  };
  const noDay = { created_count: 0, created_cents: 0, ended_count: 0, ended_cents: 0 };
  const noMethodDay = { attempts_count: 0, paid_count: 0, paid_cents: 0 };
  for (const { merchant_id, created_at, amount_cents } of transactions) {
    const key = { merchant_id, day: calendarDay(created_at) };
    add(days, key, noDay, { created_count: 1, created_cents: amount_cents });
  }
  for (const { merchant_id, created_at, method, accepted } of attempts) {
    if (accepted === 0) continue;
    const key = { merchant_id, day: calendarDay(created_at), method };
    add(methodDays, key, noMethodDay, { attempts_count: 1 });
  }
  const ended = new Set<string>();
  for (const event of events) {
    const transaction = transactions.find((row) => row.id === event.transaction_id);
    if (transaction === undefined) throw new Error(`event ${event.id} is of no transaction`);
    const { merchant_id, amount_cents, id, paid_method } = transaction;
    const key = { merchant_id, day: calendarDay(event.created_at) };
    if (!ended.has(id)) add(days, key, noDay, { ended_count: 1, ended_cents: amount_cents });
    ended.add(id);
    if (event.kind === 'payment.success') {
      const paid = { paid_count: 1, paid_cents: amount_cents };
      const day = calendarDay(Number(transaction.paid_at));
      add(methodDays, { ...key, day, method: String(paid_method) }, noMethodDay, paid);
    }
  }
  // The pending transactions are those created and not ended.
  const pending = transactions.filter(({ status }) => status === 'pending').length;
  const total = (name: string) => [...days.values()].reduce((sum, row) => sum + Number(row[name]), 0);
  expect(total('created_count') - total('ended_count')).toBe(pending);
  return { days: sorted(days.values()), methodDays: sorted(methodDays.values()) };
}

/** Expects the daily totals to equal a full recount. */
export async function checkTotals(db: Queryable): Promise<void> {
  const days = await db.selectFrom('daily_totals').selectAll().execute();
  const methodDays = await db.selectFrom('daily_method_totals').selectAll().execute();
  expect({ days: withoutShards(days), methodDays: withoutShards(methodDays) }).toEqual(await recount(db));
}

/** The rows with the shards of each day added up. */
function withoutShards(rows: readonly object[]): Row[] {
  const byDay = Map.groupBy(rows as Row[], keyOf);
  const added = [...byDay.values()].map((shards) =>
    shards.reduce((sum, part) =>
      Object.fromEntries(
        Object.entries(sum).map(([name, value]) => [
          name,
          typeof value === 'number' ? value + Number(part[name]) : value,
        ]),
      ),
    ),
  );
  return sorted(added.map(({ part: _, ...row }) => row));
}

function sorted(rows: Iterable<object>): Row[] {
  return ([...rows] as Row[]).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function keyOf(row: Row): string {
  return `${row.merchant_id} ${row.day} ${row.method ?? ''}`;
}
