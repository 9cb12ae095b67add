import { expect } from 'vitest';
import type { Queryable } from '../../../src/db/database.ts';
import type { AttemptRow } from '../../../src/payments/attempt-store.ts';
import type { TransactionRow } from '../../../src/payments/store.ts';
import type { SimPush } from './bank.ts';
import { SETTINGS } from './world.ts';

export const LIVE = ['initiated', 'open', 'unknown'];
const { mbwayWindowMs, mbwayGraceMs, pendingMs } = SETTINGS;

export type Rows = Awaited<ReturnType<typeof load>>;

export async function load(db: Queryable) {
  return {
    transactions: await db.selectFrom('transactions').selectAll().orderBy('id').execute(),
    attempts: await db.selectFrom('attempts').selectAll().orderBy('id').execute(),
    receipts: await db.selectFrom('receipts').selectAll().orderBy('id').execute(),
    events: await db.selectFrom('events').selectAll().orderBy('id').execute(),
    deliveries: await db.selectFrom('deliveries').selectAll().orderBy('id').execute(),
    notes: await db.selectFrom('receipt_notes').selectAll().orderBy('id').execute(),
    leads: await db.selectFrom('leads').selectAll().execute(),
  };
}

export function checkTransaction(transaction: TransactionRow, attempts: AttemptRow[]): void {
  const live = attempts.filter(({ state }) => LIVE.includes(state));
  if (transaction.status === 'failed' || transaction.status === 'cancelled') expect(live).toEqual([]);
  if (transaction.status === 'failed') {
    expect(attempts.some(({ state }) => ['rejected', 'declined', 'expired', 'paid'].includes(state))).toBe(
      true,
    );
  }
  const waits = transaction.status === 'pending' && transaction.held === 0;
  if (waits && live.length === 0) expect(transaction.deadline_at).toBe(transaction.created_at + pendingMs);
  if (!waits) expect(transaction.deadline_at).toBeNull();
}

/** One event, one delivery, in the transaction's lane. */
export function checkOutbox({ events, deliveries }: Rows): void {
  expect(deliveries.length).toBe(events.length);
  const places = new Map<string, number>();
  for (const event of events) {
    const place = (places.get(event.transaction_id ?? '') ?? 0) + 1;
    places.set(event.transaction_id ?? '', place);
    expect(deliveries.find((delivery) => delivery.event_id === event.id)).toMatchObject({
      lane_position: place,
      blocked: place > 1 ? 1 : 0,
      state: 'due',
    });
  }
}

export function isOver(push: SimPush, at: number): boolean {
  return (push.finalAt !== null && push.finalAt <= at) || at >= push.createdAt + mbwayWindowMs + mbwayGraceMs;
}

export function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
