import Sqlite from 'better-sqlite3';
import type { Selectable } from 'kysely';
import type { ReceiptTable } from '../../src/db/tables/payments.ts';

/** A payment or a refund in the bank's record. */
interface Paid {
  requestId: string;
  amountCents: number;
}

/** The payments and refunds at the bank. */
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
export function moneyFaults(bank: readonly Paid[], receipts: readonly Selectable<ReceiptTable>[]): string[] {
  const counts = new Map<string, number>();
  const count = (key: string, by: number) => counts.set(key, (counts.get(key) ?? 0) + by);
  for (const { requestId, amountCents } of bank) count(`${requestId} ${amountCents}`, 1);
  for (const { request_id, amount_cents } of receipts) count(`${request_id} ${amount_cents}`, -1);
  const over = [...counts].filter(([, n]) => n > 0);
  const under = [...counts].filter(([, n]) => n < 0);
  const unmatched = receipts.filter((receipt) => receipt.unmatched === 1);
  return [
    ...over.map(([key, n]) => `the bank has ${key} cents, ${n} time(s) more than there are receipts`),
    ...under.map(([key, n]) => `there are receipts of ${key} cents, ${-n} more than the bank has`),
    ...unmatched.map(({ id }) => `receipt ${id} fits no transaction`),
  ];
}
