import type { Deps } from '../../deps.ts';
import type { BankAccount, PaymentList } from '../port.ts';
import type { SettlementPort } from '../settlement-port.ts';

/**
 * Reads the bank's record of one order, by our order id and, without a result, by the bank's request id. Records
 * every row found. Throws BankUnavailable.
 */
export async function findPayment(
  deps: Pick<Deps, 'bank'> & { settlement: SettlementPort },
  account: BankAccount,
  { bankOrderId, requestId }: { bankOrderId: string | null; requestId: string | null },
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
