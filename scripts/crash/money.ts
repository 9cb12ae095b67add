import Sqlite from 'better-sqlite3';
import type { ListedReceipt } from '../../src/payments/list-receipts.ts';

/** A payment or a refund in the bank's record. */
interface Paid {
  requestId: string;
  amountCents: number;
}

/** The payments and refunds at the bank and the receipts of the service. */
export interface Money {
  bank: Paid[];
  bankRefunds: Paid[];
  receipts: ListedReceipt[];
}

/** Reads what the simulated banks received and paid back from their file. */
export function readBankRecord(file: string): Omit<Money, 'receipts'> {
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
export function moneyFaults({ bank, receipts }: Pick<Money, 'bank' | 'receipts'>): string[] {
  const counts = new Map<string, number>();
  const count = (key: string, by: number) => counts.set(key, (counts.get(key) ?? 0) + by);
  for (const { requestId, amountCents } of bank) count(`${requestId} ${amountCents}`, 1);
  for (const { requestId, amount } of receipts) count(`${requestId} ${Math.round(amount * 100)}`, -1);
  const different = [...counts].filter(([, n]) => n !== 0);
  const unmatched = receipts.filter(({ flags }) => flags.includes('unmatched'));
  return [
    ...different.map(([key, n]) => `the bank has ${key} cents ${n} time(s) more than there are receipts`),
    ...unmatched.map(({ id }) => `receipt ${id} fits no transaction`),
  ];
}
