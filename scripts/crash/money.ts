import Sqlite from 'better-sqlite3';
import type { Selectable } from 'kysely';
import type { ReceiptTable } from '../../src/db/tables/payments.ts';

/** A payment or a refund in the bank's record. */
interface Paid {
  requestId: string;
  amountCents: number;
}

export interface BankRecord {
  bank: Paid[];
  bankRefunds: Paid[];
}

/** Reads what the simulated banks received and paid back from their file. */
export function readBankRecord(file: string): BankRecord {
  const db = new Sqlite(file, { readonly: true });
  try {
    const read = (source: string) =>
      db
        .prepare<[], Paid>(`select payments.request_id as requestId, ${source}.amount_cents as amountCents
          from payments ${source === 'refunds' ? 'join refunds on payments.id = refunds.payment_id' : ''}`)
        .all();
    return { bank: read('payments'), bankRefunds: read('refunds') };
  } finally {
    db.close();
  }
}

/** Compares row by row, so that a reference paid twice must have two rows on both sides. */
export function* moneyFaults(
  bank: readonly Paid[],
  receipts: readonly Selectable<ReceiptTable>[],
): Iterable<string> {
  const counts = new Map<string, number>();
  const count = (key: string, by: number) => counts.set(key, (counts.get(key) ?? 0) + by);
  for (const { requestId, amountCents } of bank) count(`${requestId} ${amountCents}`, 1);
  for (const { request_id, amount_cents } of receipts) count(`${request_id} ${amount_cents}`, -1);
  for (const [key, n] of counts) {
    if (n > 0) yield `the bank has ${key} cents, ${n} time(s) more than there are receipts`;
    if (n < 0) yield `there are receipts of ${key} cents, ${-n} more than the bank has`;
  }
  for (const { id, unmatched } of receipts) if (unmatched === 1) yield `receipt ${id} fits no transaction`;
}
