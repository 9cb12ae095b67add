import { moves } from './checks/change.ts';
import { attemptsOf, paysSecond, type Snapshot } from './snapshot.ts';
import type { World } from './world.ts';

/** Traces and counts the changes of a unit of work, and notifies the parts of the world that react to them. */
export function traceChange(world: World, before: Snapshot, after: Snapshot): void {
  for (const [id, row] of after.transactions) {
    const was = before.transactions.get(id);
    if (was?.status === row.status && was.held === row.held) continue;
    world.note('transaction', `${id} ${was?.status ?? '-'} → ${row.status}${row.held ? ' (held)' : ''}`);
    world.count(`transaction ${row.held ? 'held' : row.status}`);
    if (row.status === 'failed' || row.status === 'cancelled') {
      if (row.session_id !== null) world.shoppers.onEnded(row.session_id);
      world.customers.onEnded(new Set(attemptsOf(after, id).map((attempt) => attempt.bank_order_id)));
    }
  }
  for (const { was, is } of moves(before.attempts, after.attempts)) {
    world.note('attempt', `${is.bank_order_id} ${is.method} ${was?.state ?? '-'} → ${is.state}`);
    world.count(`attempt ${is.state}`);
  }
  for (const [id, row] of after.receipts) {
    if (before.receipts.has(id)) continue;
    const flags = (['late', 'duplicate', 'under', 'over', 'unmatched'] as const).filter(
      (flag) => row[flag] === 1,
    );
    world.note('receipt', `${row.identity} ${row.amount_cents} ${flags.join(' ')}`);
    for (const flag of flags) world.count(`receipt ${flag}`);
    if (paysSecond(row)) world.count('receipt second payment');
    if (row.under === 1) world.operator.onUnderpaid();
    world.operator.refunds.onReceipt();
  }
  for (const { id, was, is } of moves(before.refunds, after.refunds)) {
    world.note('refund', `${id} of ${is.receipt_id} ${was?.state ?? '-'} → ${is.state}`);
    world.count(`refund is ${is.state}`);
  }
  for (const [id, row] of after.deliveries) {
    const was = before.deliveries.get(id);
    if (was?.state === row.state && was.attempts_count === row.attempts_count) continue;
    world.note('delivery', `${id} ${row.state} after ${row.attempts_count}`);
    if (was?.state !== row.state) world.count(`delivery ${row.state}`);
  }
}
