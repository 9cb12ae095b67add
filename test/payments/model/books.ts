import { expect } from 'vitest';
import type { AttemptRow } from '../../../src/payments/attempt-store.ts';
import type { ReceiptRow } from '../../../src/payments/store.ts';
import type { SimBank } from './bank.ts';
import { type Rows, sum } from './rows.ts';

/** Each receipt is one row of the bank, whole, and each row is one receipt at most; it is where its order or a person put it. */
export function checkReceipts(
  { receipts, attempts }: Rows,
  bank: SimBank,
  given: ReadonlyMap<string, string>,
): void {
  const identities = new Set(receipts.map((receipt) => receipt.identity));
  expect(identities.size).toBe(receipts.length);
  for (const receipt of receipts) {
    const row = bank.rows.find((known) => known.identity === receipt.identity);
    if (row === undefined) throw new Error(`receipt ${receipt.identity} is no money of the bank`);
    expect(receipt).toMatchObject({
      amount_cents: row.amount,
      paid_at: Math.min(row.paidAt, receipt.recorded_at),
      unmatched: receipt.transaction_id === null ? 1 : 0,
    });
    const own = attempts.find((known) => known.id === receipt.attempt_id);
    expect(own?.transaction_id ?? receipt.transaction_id).toBe(receipt.transaction_id);
    const target = given.get(receipt.id);
    if (target !== undefined) {
      expect(receipt.transaction_id).toBe(target);
      continue;
    }
    const paid = attempts.find((known) => known.bank_order_id === row.paidOrder);
    // A row that names a foreign order finds its attempt only by the request id, once that is known.
    const strays = row.bankOrderId !== row.paidOrder && receipt.attempt_id === null;
    expect(receipt.attempt_id).toBe(strays ? null : (paid?.id ?? null));
    expect(receipt.transaction_id).toBe(strays ? null : (paid?.transaction_id ?? null));
  }
}

/** Whether the push's money is in the books elsewhere, where a person put it. */
export function isSettledElsewhere(
  attempt: AttemptRow,
  receipts: readonly ReceiptRow[],
  bank: SimBank,
): boolean {
  const row = bank.rows.find((known) => known.paidOrder === attempt.bank_order_id);
  const receipt = receipts.find((known) => known.identity === row?.identity);
  if (receipt === undefined || receipt.attempt_id !== null) return false;
  return receipt.settlement !== null || receipt.transaction_id !== null;
}

type Counts = Record<'unmatched' | 'assigned' | 'credited' | 'returned' | 'kept', number>;

/** The accounts over all money, and what may never be undone. */
export class Books {
  readonly #settled = new Map<string, string>();
  readonly #known = new Set<string>();
  readonly #notes = new Map<string, string>();

  check(rows: Rows, counts: Counts): void {
    this.#checkSums(rows);
    this.#checkPaid(rows);
    this.#checkForever(rows, counts);
  }

  /** Money in is the sum of receipts, and that is what was credited, what waits for a person and what went back. */
  #checkSums({ receipts, transactions }: Rows): void {
    let [credited, waiting, returned] = [0, 0, 0];
    for (const receipt of receipts) {
      returned += receipt.returned_cents ?? 0;
      const rest = receipt.amount_cents - (receipt.returned_cents ?? 0);
      if (paysAlone(receipt) || receipt.settlement === 'credited') credited += rest;
      else if (receipt.settlement === null) waiting += rest;
      else expect([receipt.settlement, rest]).toEqual(['returned', 0]);
      expect(receipt.returned_cents !== null).toBe(receipt.settlement === 'returned');
      expect(receipt.settled_at !== null).toBe(receipt.settlement !== null);
    }
    expect(credited + waiting + returned).toBe(sum(receipts.map((receipt) => receipt.amount_cents)));
    // What counts for transactions covers every sale, held ones included.
    const sold = transactions.filter((row) => row.status === 'paid' || row.held === 1);
    expect(credited).toBeGreaterThanOrEqual(sum(sold.map((row) => row.amount_cents)));
  }

  /** A sale is one full receipt, or receipts that were credited together; what counts for it never falls below its amount. */
  #checkPaid({ receipts, transactions }: Rows): void {
    for (const transaction of transactions) {
      const own = receipts.filter((receipt) => receipt.transaction_id === transaction.id);
      const full = own.filter(paysAlone);
      const credited = own.filter((receipt) => receipt.settlement === 'credited' && !paysAlone(receipt));
      const counted = sum(
        [...full, ...credited].map((receipt) => receipt.amount_cents - (receipt.returned_cents ?? 0)),
      );
      const sold = transaction.status === 'paid' || transaction.held === 1;
      expect(full.length + Math.min(credited.length, 1)).toBe(sold ? 1 : 0);
      if (sold) expect(counted).toBeGreaterThanOrEqual(transaction.amount_cents);
    }
  }

  /** No receipt and no note is ever lost, and what a person settled stays settled. */
  #checkForever({ receipts, notes }: Rows, counts: Counts): void {
    const ids = new Set(receipts.map((receipt) => receipt.id));
    for (const id of this.#known) expect(ids).toContain(id);
    for (const receipt of receipts) {
      if (!this.#known.has(receipt.id)) counts.unmatched += receipt.unmatched;
      this.#known.add(receipt.id);
      const text = JSON.stringify([receipt.settlement, receipt.settled_at, receipt.returned_cents]);
      expect(text).toBe(this.#settled.get(receipt.id) ?? text);
      if (receipt.settlement !== null) this.#settled.set(receipt.id, text);
    }
    expect(notes.length).toBeGreaterThanOrEqual(this.#notes.size);
    for (const note of notes) {
      expect(this.#notes.get(note.id) ?? note.kind).toBe(note.kind);
      if (!this.#notes.has(note.id) && note.kind !== 'note') counts[note.kind] += 1;
      this.#notes.set(note.id, note.kind);
    }
  }
}

function paysAlone(receipt: ReceiptRow): boolean {
  return receipt.unmatched === 0 && receipt.duplicate === 0 && receipt.under === 0;
}
