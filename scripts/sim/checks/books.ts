import { openAccount } from '../../../src/banks/accounts.ts';
import type { BankAccount } from '../../../src/banks/port.ts';
import type { AccountRow } from '../../../src/banks/store.ts';
import { statementPage } from '../../../src/payments/statement/statement.ts';
import { alike, FOREIGN, type TrueMoney } from '../bank-state.ts';
import type { Service } from '../service.ts';
import { attemptOfOrder, type ReceiptView, refundsOf, sum } from '../snapshot.ts';
import type { World } from '../world.ts';
import { keyOfReceipt } from './receipts.ts';

/** A payment of the bank with its receipt. */
interface Entry {
  money: TrueMoney;
  receipt: ReceiptView;
}

/** Checks at the end that the bank's payments less its refunds equal the service's books, per account and per merchant. */
export async function checkBooks(world: World): Promise<void> {
  const { service } = world;
  if (service === null) return;
  const entries = [...pair(world)];
  checkAccounts(world, service, entries);
  for (const { id } of world.shops) await checkMerchant(world, service, id, entries);
}

/** Pairs payments with receipts by their identity and amount; equal payments are interchangeable. */
function* pair(world: World): Iterable<Entry> {
  const left = new Set(world.monitor.state.receipts.values());
  for (const money of world.bank.money) {
    const key = `${money.amount} ${alike(money)}`;
    const receipt = [...left].find((row) => keyOfReceipt(row) === key);
    if (receipt === undefined) continue;
    left.delete(receipt);
    yield { money, receipt };
  }
}

/**
 * A payment is booked at the account whose key it names; at EuPago, a payment without an order at an account that shares its
 * list.
 */
function checkAccounts(world: World, service: Service, entries: readonly Entry[]): void {
  const rows = service.storage.committed.prepare('select * from bank_accounts').all() as AccountRow[];
  const accounts = rows.map((row) => openAccount(service.deps.box, row));
  const has = ({ credentials }: BankAccount, key: string) =>
    Object.values(credentials as object).includes(key);
  for (const { id, ...account } of accounts) {
    const booked = entries.filter(({ receipt }) => receipt.account_id === id);
    const came = entries.filter(({ money, receipt }) =>
      money.acquirer === 'eupago' && money.requestId === FOREIGN
        ? receipt.account_id === id && has({ id, ...account }, money.listKey)
        : has({ id, ...account }, money.methodKey),
    );
    const kept = sum(came.map(({ money }) => money.amount - wentBack(world, money)));
    const books = sum(booked.map(({ receipt }) => receipt.amount_cents - booksBack(world, receipt)));
    if (kept !== books || came.length !== booked.length)
      world.fail('the books of an account are right', `${id} has ${books} in its books, ${kept} at the bank`);
  }
}

/** Checks the statement, which the merchant reads. */
async function checkMerchant(
  world: World,
  { deps }: Service,
  merchantId: World['shops'][number]['id'],
  entries: readonly Entry[],
): Promise<void> {
  const filter = { merchantId, from: 0, until: Number.MAX_SAFE_INTEGER, unheld: false };
  const { rows } = await statementPage(deps.db.read, filter, null);
  const books = sum(rows.map(({ gross, refund }) => (gross ?? 0) - (refund ?? 0)));
  const own = entries.filter((entry) => ownerOf(world, entry) === merchantId);
  const kept = own.map(({ money, receipt }) => {
    const refunds = refundsOf(world.monitor.state, receipt.id);
    const transferred = refunds.filter(({ state, request_id }) => state === 'done' && request_id === null);
    // The statement contains only completed refunds.
    const open = refunds.filter(({ id, state }) => state === 'unknown' && isMade(world, id));
    const back = wentBack(world, money) + total(transferred) - total(open);
    return money.amount - back;
  });
  if (books !== sum(kept))
    world.fail(
      'the statement of a merchant is right',
      `${merchantId} has ${books} in its books, ${sum(kept)} at the bank`,
    );
}

/** Returns the merchant of a payment: that of the paid order, or of the order to which an operator assigned it. */
function ownerOf(world: World, { money, receipt }: Entry): string | null {
  const { state } = world.monitor;
  const order = state.transactions.get(receipt.transaction_id ?? '');
  if (order === undefined || world.operator.requested.assign.has(`${receipt.id} ${order.id}`))
    return order?.merchant_id ?? null;
  return attemptOfOrder(state, money.paidOrderId)?.merchant_id ?? null;
}

/** Returns the refunded sum of a payment. The bank refunds only pushes, and each push has one payment. */
function wentBack({ bank }: World, { method, paymentId }: TrueMoney): number {
  return method === 'MBWAY' ? bank.refunds.madeCents(paymentId) : 0;
}

/** Returns the sum of bank refunds in the books, including an unknown refund that the bank made. */
function booksBack(world: World, { id }: ReceiptView): number {
  const refunds = refundsOf(world.monitor.state, id).filter(({ request_id }) => request_id !== null);
  return total(
    refunds.filter((row) => row.state === 'done' || (row.state === 'unknown' && isMade(world, row.id))),
  );
}

function isMade({ bank }: World, refundId: string): boolean {
  return bank.refunds.calls.get(refundId)?.state === 'made';
}

function total(refunds: readonly { amount_cents: number }[]): number {
  return sum(refunds.map((row) => row.amount_cents));
}
