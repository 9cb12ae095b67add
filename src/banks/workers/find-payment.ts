import type { Deps } from '../../deps.ts';
import type { BankAccount, PaymentList, SentPush } from '../port.ts';
import type { BankAttempt, SettlementPort } from '../settlement-port.ts';
import type { CallbackRow } from '../store.ts';

/** The ids by which the bank knows an attempt. */
export function bankIds({ bank_order_id, request_id }: BankAttempt): SentPush {
  return { bankOrderId: bank_order_id, requestId: request_id };
}

/**
 * Reads the bank's record of one order, by our order id and, without a result, by the bank's request id. Records
 * every row found. Throws BankUnavailable.
 */
export async function findPayment(
  deps: Pick<Deps, 'bank'> & { settlement: SettlementPort },
  account: BankAccount,
  { bank_order_id: bankOrderId, request_id: requestId }: Pick<CallbackRow, 'bank_order_id' | 'request_id'>,
): Promise<PaymentList> {
  const found: PaymentList = { records: [], complete: true };
  for (const filter of [bankOrderId !== null && { bankOrderId }, requestId !== null && { requestId }]) {
    if (filter === false) continue;
    const list = await deps.bank.listPayments(account, filter);
    found.complete &&= list.complete;
    found.records = list.records;
    if (found.records.length > 0) break;
  }
  await deps.settlement.recordPayments(account.id, found.records);
  return found;
}
