import { alike } from '../bank-state.ts';
import {
  isSold,
  othersOfSession,
  paysAlone,
  paysSecond,
  type ReceiptView,
  receiptsOf,
  type Snapshot,
  sum,
  type TransactionView,
} from '../snapshot.ts';
import { type ChangeChecks, newReceipts } from './change.ts';

export const RECEIPT_CHECKS: ChangeChecks = {
  *'a receipt is never deleted or altered, and moves only by assignment'({ before, after, world }) {
    for (const [id, was] of before.receipts) {
      const is = after.receipts.get(id);
      if (is === undefined) {
        yield `${id} is gone`;
        continue;
      }
      if (reported(is) !== reported(was)) yield `${id} was altered`;
      const assigned = world.operator.requested.assign.has(`${id} ${is.transaction_id}`);
      if (place(is) !== place(was) && !(was.transaction_id === null && assigned))
        yield `${id} was moved from ${place(was)} to ${place(is)}`;
    }
  },

  *'a receipt is money that the bank has'({ before, after, world }) {
    if (before.receipts.size === after.receipts.size) return;
    const have = new Map<string, number>();
    for (const row of world.bank.money) {
      const key = `${row.amount} ${alike(row)}`;
      have.set(key, (have.get(key) ?? 0) + 1);
    }
    for (const row of after.receipts.values()) {
      const left = have.get(keyOfReceipt(row)) ?? 0;
      if (left === 0)
        yield `${row.identity} of ${row.amount_cents} is no money of the bank, or is recorded twice`;
      have.set(keyOfReceipt(row), left - 1);
    }
  },

  *'a receipt is flagged by the state it meets'(change) {
    for (const row of newReceipts(change)) {
      const was =
        row.transaction_id === null ? undefined : change.before.transactions.get(row.transaction_id);
      const expected = flagsOf(change.before, was, row.amount_cents);
      for (const [flag, set] of Object.entries(expected)) {
        if (row[flag as keyof typeof expected] !== Number(set))
          yield `${row.identity}: ${flag} is not ${set}`;
      }
    }
  },

  *'a settled receipt stays settled, and notes stay'({ before, after }) {
    for (const [id, is] of after.receipts) {
      const was = before.receipts.get(id)?.settlement ?? null;
      if (is.settlement === 'refunded' && is.refund_cents === 0) yield `${id} is refunded, without a refund`;
      const mayChange = is.settlement === 'credited' || is.refund_cents === 0;
      if (was !== null && is.settlement !== was && !(was === 'refunded' && mayChange))
        yield `${id} was ${was} and is ${is.settlement}`;
      if ((is.settlement === null) !== (is.settled_at === null))
        yield `${id} is ${is.settlement}, settled at ${is.settled_at}`;
      const due = after.transactions.get(is.transaction_id ?? '')?.amount_cents ?? 0;
      const back = paysAlone(is) ? (is.over === 1 ? is.amount_cents - due : null) : is.amount_cents;
      const expected = is.settlement === 'returned' ? back : null;
      if (is.returned_cents !== expected) yield `${id} returned ${is.returned_cents}, not ${expected}`;
      const isNoted = is.settlement !== null && is.settlement !== 'refunded' && is.settlement !== was;
      if (!isNoted || !before.receipts.has(id)) continue;
      const noted = [...after.receipt_notes.values()].some(
        (note) => note.receipt_id === id && !before.receipt_notes.has(note.id),
      );
      if (!noted) yield `${id} was ${is.settlement} without a note`;
    }
    for (const [id, note] of before.receipt_notes)
      if (JSON.stringify(after.receipt_notes.get(id)) !== JSON.stringify(note))
        yield `note ${id} was altered`;
  },

  /** A sale has one full receipt, or receipts credited together; their amounts less returned money cover its amount. */
  *'a sale is covered by its receipts'({ after }) {
    for (const row of after.transactions.values()) {
      const own = receiptsOf(after, row.id);
      const second = own.filter(paysSecond);
      const full = [...own.filter(paysAlone), ...second];
      const credited = own.filter((receipt) => receipt.settlement === 'credited' && !full.includes(receipt));
      const counted = sum([...full, ...credited].map((one) => one.amount_cents - (one.returned_cents ?? 0)));
      const sold = isSold(row);
      if (full.length + Math.min(credited.length, 1) !== (sold ? 1 : 0))
        yield `${row.id} is ${row.status} with ${full.length} full and ${credited.length} credited receipts`;
      // The second payment of an order may be returned; its transaction stays paid.
      if (sold && second.length === 0 && counted < row.amount_cents)
        yield `${row.id} of ${row.amount_cents} is covered by ${counted}`;
    }
  },
};

/** The data of a receipt that the bank reported. */
function reported({ identity, amount_cents, paid_at, recorded_at, request_id, bank_order_id }: ReceiptView) {
  return JSON.stringify([identity, amount_cents, paid_at, recorded_at, request_id, bank_order_id]);
}

function place({ transaction_id, late, duplicate, under, over, unmatched }: ReceiptView) {
  return JSON.stringify([transaction_id, late, duplicate, under, over, unmatched]);
}

/** The receipt's amount and its identity without a rank; see `alike`. */
export function keyOfReceipt(row: ReceiptView): string {
  return `${row.amount_cents} ${row.identity.replace(/,\d+\]$/, ']')}`;
}

function flagsOf(before: Snapshot, was: TransactionView | undefined, amount: number) {
  const settled = was !== undefined && isSold(was);
  const open = was !== undefined && !settled;
  const second = open && amount >= was.amount_cents && othersOfSession(before, was).some(isSold);
  return {
    unmatched: was === undefined,
    duplicate: settled || second,
    late: second || (open && was.status !== 'pending'),
    under: open && amount < was.amount_cents,
    over: open && amount > was.amount_cents,
  };
}
