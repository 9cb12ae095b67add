import { expect } from 'vitest';
import type { Deps } from '../../../src/deps.ts';
import type { Id } from '../../../src/kernel/ids.ts';
import { assignReceipt } from '../../../src/payments/exceptions/assign-receipt.ts';
import { creditTransaction } from '../../../src/payments/exceptions/credit-transaction.ts';
import { keepReceipt } from '../../../src/payments/exceptions/keep-receipt.ts';
import { markReturned } from '../../../src/payments/exceptions/mark-returned.ts';
import { releaseTransaction } from '../../../src/payments/release.ts';
import type { ReceiptRow } from '../../../src/payments/store.ts';
import type { Checker } from './check.ts';
import { load, sum } from './rows.ts';
import { at, type Of } from './steps.ts';

type Known = readonly { id: Id<'tx'> }[];

const OPERATOR = { merchantId: null, operator: true };

/** What people do about held sales and exceptions, each act with what must come of it: done, done before, or refused. */
export class People {
  readonly #checker: Checker;
  readonly #deps: () => Deps;

  constructor(checker: Checker, deps: () => Deps) {
    this.#checker = checker;
    this.#deps = deps;
  }

  async release({ pick }: Of<'release'>, transactions: Known): Promise<void> {
    const held = (await this.#rows()).transactions.filter((row) => row.held === 1);
    const target = at(held, pick) ?? at(transactions, pick);
    if (target === undefined) return;
    const releasing = releaseTransaction(this.#deps(), target.id);
    if (held.length === 0) return expect(releasing).rejects.toThrow();
    this.#checker.released.add(target.id);
    await releasing;
  }

  async assign({ pick, to }: Of<'assign'>, transactions: Known): Promise<void> {
    const { receipts } = await this.#rows();
    const unmatched = receipts.filter((receipt) => receipt.unmatched === 1);
    // Now and then one that has its transaction: to be refused, or done already.
    const receipt = at(pick % 5 === 0 ? receipts : unmatched, pick);
    if (receipt === undefined) return;
    const paidFor = to % 2 === 0 ? await this.#paidFor(receipt) : undefined;
    const target = paidFor ?? at(transactions, to)?.id;
    if (target !== undefined) await this.give(receipt, target);
  }

  /** The transaction that the customer paid, whatever the bank's row names. */
  async #paidFor(receipt: ReceiptRow): Promise<Id<'tx'> | undefined> {
    const row = this.#checker.bank.rows.find((known) => known.identity === receipt.identity);
    const { attempts } = await this.#rows();
    return attempts.find((attempt) => attempt.bank_order_id === row?.paidOrder)?.transaction_id;
  }

  /** Assigns a receipt; whatever the bank's ids say by then decides whether that is refused. */
  async give(receipt: ReceiptRow, id: Id<'tx'>): Promise<void> {
    const { attempts } = await this.#rows();
    const named =
      attempts.find((attempt) => attempt.bank_order_id === receipt.bank_order_id) ??
      attempts.findLast((attempt) => attempt.request_id === receipt.request_id);
    const again = this.#checker.given.get(receipt.id) === id;
    const free = receipt.transaction_id === null && receipt.settlement === null;
    const fits = named === undefined || named.transaction_id === id;
    const giving = assignReceipt(this.#deps(), { receiptId: receipt.id, transactionId: id, note: 'it is' });
    if (!again && !(free && fits)) return expect(giving).rejects.toThrow();
    this.#checker.given.set(receipt.id, id);
    await giving;
  }

  async credit({ pick }: Of<'credit'>, transactions: Known): Promise<void> {
    const { receipts } = await this.#rows();
    const open = (id: string) =>
      receipts.filter((receipt) => receipt.transaction_id === id && receipt.settlement === null);
    const short = transactions.filter(({ id }) => open(id).some((receipt) => receipt.under === 1));
    const twice = short.filter(({ id }) => open(id).length > 1);
    const target = at(pick % 3 === 0 ? transactions : twice.length > 0 ? twice : short, pick);
    if (target !== undefined) await this.#credit(target.id);
  }

  /** True when it was credited; otherwise it had to be refused. */
  async #credit(id: string): Promise<boolean> {
    const rows = await this.#rows();
    const row = rows.transactions.find((known) => known.id === id);
    if (row === undefined) return false;
    const own = rows.receipts.filter(
      (receipt) => receipt.transaction_id === row.id && receipt.settlement === null,
    );
    const crediting = creditTransaction(this.#deps(), row.id);
    const reached = own.length > 0 && sum(own.map((receipt) => receipt.amount_cents)) >= row.amount_cents;
    if (row.status === 'paid' || row.held === 1 || !reached) {
      await expect(crediting).rejects.toThrow();
      return false;
    }
    const newest = own.toSorted((a, b) => a.paid_at - b.paid_at).at(-1);
    if (newest !== undefined) this.#checker.credited.set(row.id, newest);
    await crediting;
    return true;
  }

  async markReturned({ pick, whole }: Of<'return'>): Promise<void> {
    const { receipts } = await this.#rows();
    const flagged = receipts.filter((known) => strayed(known) || known.over === 1);
    const receipt = at(pick % 3 === 0 ? receipts : flagged, pick);
    if (receipt !== undefined) await this.#return(receipt, whole);
  }

  async #return(receipt: ReceiptRow, whole: boolean): Promise<void> {
    const { transactions } = await this.#rows();
    const due = transactions.find(({ id }) => id === receipt.transaction_id)?.amount_cents ?? 0;
    const back = strayed(receipt)
      ? receipt.amount_cents
      : receipt.over === 1
        ? receipt.amount_cents - due
        : null;
    const amountCents = whole ? receipt.amount_cents : (back ?? receipt.amount_cents);
    const returning = markReturned(this.#deps(), OPERATOR, {
      ...{ receiptId: receipt.id, amountCents, note: 'sent back' },
    });
    const allowed = receipt.settlement === null && back !== null && amountCents === back;
    if (!allowed) return expect(returning).rejects.toThrow();
    await returning;
  }

  async keep({ pick }: Of<'keep'>): Promise<void> {
    const { receipts } = await this.#rows();
    const special = receipts.filter((known) => known.late === 1 || known.over === 1);
    const receipt = at(pick % 3 === 0 ? receipts : special, pick);
    if (receipt !== undefined) await this.#keep(receipt);
  }

  async #keep(receipt: ReceiptRow): Promise<void> {
    const flagged = receipt.late === 1 || receipt.over === 1;
    const allowed = receipt.settlement === null && !strayed(receipt) && flagged;
    const keeping = keepReceipt(this.#deps(), OPERATOR, { receiptId: receipt.id, note: '' });
    if (!allowed) return expect(keeping).rejects.toThrow();
    await keeping;
  }

  /** Ends the case in the way that is open to it. */
  async settle(id: Id<'rcp'>): Promise<void> {
    const receipt = (await this.#rows()).receipts.find((known) => known.id === id);
    if (receipt === undefined || receipt.settlement !== null) return;
    if (receipt.over === 1) return this.#return(receipt, false);
    if (!strayed(receipt)) return this.#keep(receipt);
    const { transaction_id: own } = receipt;
    if (receipt.under === 0 || own === null) return this.#return(receipt, false);
    // Every other time the money goes back first: what is left must not be credited for what it is not.
    if (id.charCodeAt(id.length - 1) % 2 === 0) await this.#return(receipt, false);
    const credited = await this.#credit(own);
    const { receipts } = await this.#rows();
    const left = receipts.find((known) => known.id === id && known.settlement === null);
    if (!credited && left !== undefined) await this.#return(left, false);
  }

  #rows() {
    return load(this.#deps().db.read);
  }
}

/** Whether the receipt paid nothing by itself. */
function strayed(receipt: ReceiptRow): boolean {
  return receipt.unmatched === 1 || receipt.duplicate === 1 || receipt.under === 1;
}
