import { openAccount } from '../../../src/banks/accounts.ts';
import { statementPage } from '../../../src/payments/statement/statement.ts';
import { alike, FOREIGN, type TrueMoney } from '../bank-state.ts';
import { attemptOfOrder, type ReceiptView, refundsOf, sum } from '../snapshot.ts';
import type { World } from '../world.ts';
import type { EndChecks } from './end.ts';
import { keyOfReceipt } from './receipts.ts';

/** A payment of the bank with its receipt. */
interface Entry {
  money: TrueMoney;
  receipt: ReceiptView;
}

/** The bank's payments are in the right books; its refunds are compared per payment. */
export const BOOKS_END_CHECKS: EndChecks = {
  /**
   * A payment is booked at the account whose key it names; at EuPago, a payment without an order at an account that shares its
   * list.
   */
  *'the books of an account are right'(world, { deps }) {
    const rows = [...world.monitor.state.bank_accounts.values()];
    const keys = new Map(
      rows.map((row) => [row.id, Object.values(openAccount(deps.box, row).credentials as object)]),
    );
    for (const { money, receipt } of pair(world)) {
      const isForeign = money.acquirer === 'eupago' && money.requestId === FOREIGN;
      const key = isForeign ? money.listKey : money.methodKey;
      if (!keys.get(receipt.account_id)?.includes(key))
        yield `${receipt.account_id} has ${receipt.id} of ${key}`;
    }
  },

  /** The merchant reads the statement, which contains only completed refunds. */
  async *'the statement of a merchant is right'(world, { deps }) {
    const entries = [...pair(world)];
    for (const { id: merchantId } of world.shops) {
      const filter = { merchantId, from: 0, until: Number.MAX_SAFE_INTEGER, unheld: false };
      const { rows } = await statementPage(deps.db.read, filter, null);
      const books = sum(rows.map(({ gross, refund }) => (gross ?? 0) - (refund ?? 0)));
      const own = entries.filter((entry) => ownerOf(world, entry) === merchantId);
      const refunds = own.flatMap(({ receipt }) => refundsOf(world.monitor.state, receipt.id));
      const done = refunds.filter(({ state }) => state === 'done');
      const kept = sum(own.map(({ money }) => money.amount)) - sum(done.map((refund) => refund.amount_cents));
      if (books !== kept) yield `${merchantId} has ${books} in its books, ${kept} at the bank`;
    }
  },
};

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

/** Returns the merchant of a payment: that of the paid order, or of the order to which an operator assigned it. */
function ownerOf(world: World, { money, receipt }: Entry): string | null {
  const { state } = world.monitor;
  const order = state.transactions.get(receipt.transaction_id ?? '');
  if (order === undefined || world.operator.requested.assign.has(`${receipt.id} ${order.id}`))
    return order?.merchant_id ?? null;
  return attemptOfOrder(state, money.paidOrderId)?.merchant_id ?? null;
}
