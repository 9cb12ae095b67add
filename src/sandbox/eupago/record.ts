import type { SandboxContext } from '../context.ts';
import { rowsOf } from '../record.ts';
import type { Payment } from '../schema.ts';
import { fiveDecimals } from './notifications.ts';

/** One row of EuPago's record of a payment. */
export interface RecordedRow {
  payment: Payment;
  trid: string;
  /** `"10.00000"` */
  amount: string;
  at: number;
  state: string;
}

/** The rows of a payment, with its refunds. */
export function recordedRows(context: SandboxContext, payment: Payment): RecordedRow[] {
  const { request_id: trid, paid_at: at } = payment;
  return rowsOf<RecordedRow>(context, payment, {
    payment: (amount) => ({ payment, trid, amount: fiveDecimals(amount), at, state: 'paga' }),
    refund: ({ id, amount_cents, refunded_at }, sign) => ({
      payment,
      trid: `${trid}${id}`,
      amount: sign + fiveDecimals(amount_cents),
      at: refunded_at,
      state: 'paga',
    }),
    returned: (row) => ({ ...row, state: 'devolvida' }),
  });
}
