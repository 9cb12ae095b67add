import { cents } from '../../kernel/money.ts';
import type { SandboxContext } from '../context.ts';
import type { Payment, Refund } from '../schema.ts';
import { fiveDecimals } from './notifications.ts';

const PAID = 'paga';
const REFUNDED = 'devolvida';

/** One row of EuPago's record of a payment. */
export interface RecordedRow {
  payment: Payment;
  trid: string;
  /** `"10.00000"` */
  amount: string;
  at: number;
  state: string;
}

/** The rows of a payment: one, with its refunds in the form that a test chose. */
export function recordedRows({ store }: SandboxContext, payment: Payment): RecordedRow[] {
  const { request_id: trid, amount_cents, refunded_cents, paid_at: at } = payment;
  const row: RecordedRow = { payment, trid, amount: fiveDecimals(amount_cents), at, state: PAID };
  if (refunded_cents === 0) return [row];
  const refunds = store.refundsOf(payment.id);
  const refundRow = (refund: Refund, sign: string, state: string): RecordedRow => ({
    payment,
    trid: `${trid}${refund.id}`,
    at: refund.refunded_at,
    state,
    amount: sign + fiveDecimals(refund.amount_cents),
  });
  switch (store.refundRows()) {
    case 'unchanged':
      return [row];
    case 'reduced':
      return [{ ...row, amount: fiveDecimals(cents(amount_cents - refunded_cents)) }];
    case 'status':
      return [{ ...row, state: REFUNDED }];
    case 'gone':
      return [];
    case 'negative':
      return [...refunds.map((refund) => refundRow(refund, '-', PAID)), row];
    case 'extra':
      return [...refunds.map((refund) => refundRow(refund, '', REFUNDED)), row];
  }
}
