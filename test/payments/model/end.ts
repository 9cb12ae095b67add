import { expect } from 'vitest';
import { RECEIPT_FLAGS, type ReceiptRow } from '../../../src/payments/store.ts';
import type { SimBank } from './bank.ts';
import type { Checker } from './check.ts';
import type { ModelClock } from './clock.ts';
import type { People } from './people.ts';
import { load } from './rows.ts';
import type { World } from './world.ts';

/** The bank speaks, time passes: everything must come to its end, and every euro must be in the books. */
export async function bringToEnd(
  world: World,
  run: { readonly bank: SimBank; readonly clock: ModelClock; readonly checker: Checker },
  people: People,
): Promise<void> {
  Object.assign(run.bank, { silentInquiries: false, silentLists: false, unreadableRow: false });
  run.bank.hangingInquiries = 0;
  run.bank.release();
  const quarter = 16 * 60_000;
  for (const ms of [
    0,
    1000,
    ...Array(8).fill(quarter),
    5 * 86_400_000,
    ...Array(4).fill(quarter),
    90_000_000,
    1000,
  ]) {
    await run.clock.jump(ms, world.rest);
    await run.checker.check(world);
    await giveStrays(world, run, people);
  }
  const { db } = world.deps;
  const attempts = await db.read.selectFrom('attempts').selectAll().execute();
  expect(attempts.filter(({ state }) => ['initiated', 'open', 'unknown'].includes(state))).toEqual([]);
  const pending = await db.read
    .selectFrom('transactions')
    .select(['id', 'held'])
    .where('status', '=', 'pending')
    .execute();
  expect(pending.filter(({ held }) => held === 0)).toEqual([]);
  await clearInbox(world, run, people);
  const receipts = await db.read.selectFrom('receipts').select('identity').execute();
  expect(receipts.map(({ identity }) => identity).sort()).toEqual(
    run.bank.rows.map(({ identity }) => identity).sort(),
  );
}

/** A push whose row names a foreign order is solved by the operator, who gives its money to the order that was paid. */
async function giveStrays(
  world: World,
  run: { readonly bank: SimBank; readonly checker: Checker },
  people: People,
): Promise<void> {
  const { receipts, attempts } = await load(world.deps.db.read);
  for (const receipt of receipts) {
    if (receipt.transaction_id !== null || receipt.settlement !== null) continue;
    const order = run.bank.rows.find((row) => row.identity === receipt.identity)?.paidOrder;
    const attempt = attempts.find((known) => known.bank_order_id === order);
    if (attempt === undefined) continue;
    await people.give(receipt, attempt.transaction_id);
    await run.checker.check(world);
  }
}

/** There is no exception that people could not bring to an end. */
async function clearInbox(world: World, run: { readonly checker: Checker }, people: People): Promise<void> {
  const open = async () => (await load(world.deps.db.read)).receipts.filter(isOpen);
  for (const receipt of await open()) {
    await people.settle(receipt.id);
    await run.checker.check(world);
  }
  expect(await open()).toEqual([]);
}

function isOpen(receipt: ReceiptRow): boolean {
  return receipt.settlement === null && RECEIPT_FLAGS.some((flag) => receipt[flag] === 1);
}
