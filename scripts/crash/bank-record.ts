import Sqlite from 'better-sqlite3';

/** A payment or a refund in the bank's record. */
export interface Paid {
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
    const columns = 'payments.request_id as requestId';
    return {
      bank: db.prepare<[], Paid>(`select ${columns}, amount_cents as amountCents from payments`).all(),
      bankRefunds: db
        .prepare<[], Paid>(
          `select ${columns}, refunds.amount_cents as amountCents
            from refunds join payments on payments.id = refunds.payment_id`,
        )
        .all(),
    };
  } finally {
    db.close();
  }
}
