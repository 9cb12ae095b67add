import type { Deps } from '../../deps.ts';
import type { BankAccount, BankRecord, Ledger } from '../port.ts';

const ROWS_PER_CALL_MAX = 200;

export interface Found {
  records: BankRecord[];
  /** False when a row could not be read: then absence proves nothing. */
  complete: boolean;
}

/**
 * Reads the bank's record about one order and hands every row to the ledger: by our order id and, when that shows
 * nothing, by the bank's request id. Throws BankSilent.
 */
export async function findMoney(
  deps: Pick<Deps, 'bank'> & { ledger: Ledger },
  account: BankAccount,
  order: { bankOrderId: string | null; requestId: string | null },
): Promise<Found> {
  const found: Found = { records: [], complete: true };
  const filters = [
    ...(order.bankOrderId === null ? [] : [{ bankOrderId: order.bankOrderId }]),
    ...(order.requestId === null ? [] : [{ requestId: order.requestId }]),
  ];
  for (const filter of filters) {
    found.records = await deps.bank.listPayments(account, filter, () => {
      found.complete = false;
    });
    if (found.records.length > 0) break;
  }
  await recordAll(deps.ledger, account.id, found.records);
  return found;
}

/** Hands rows to the ledger in bounded portions. One that fails keeps none of the others back; its error is thrown at the end. */
export async function recordAll(
  ledger: Ledger,
  accountId: BankAccount['id'],
  records: readonly BankRecord[],
): Promise<void> {
  const failures: unknown[] = [];
  for (let start = 0; start < records.length; start += ROWS_PER_CALL_MAX) {
    const portion = records.slice(start, start + ROWS_PER_CALL_MAX);
    await ledger.record(accountId, portion).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}
