import type { RefundNotification } from '../../banks/settlement-port.ts';
import { afterCommit, type Tx } from '../../db/database.ts';
import { SerializationConflict } from '../../db/row-locks.ts';
import type { Deps } from '../../deps.ts';
import { lockReceiptRow } from '../store.ts';
import { insertReported, receiptOfPayment } from './reported-store.ts';

/** Stores the bank's report of a refund that this service did not make; an operator settles it. */
export async function reportRefund(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'ids' | 'log'>,
  { identity, accountIds, requestId, amount }: RefundNotification,
): Promise<void> {
  const found = requestId === null ? undefined : await receiptOfPayment(tx, requestId, accountIds);
  // Locked, so that a concurrent refund or assignment of the receipt sees the report.
  const receipt = found === undefined ? undefined : await lockReceiptRow(tx, found);
  if (found !== undefined && receipt === undefined)
    throw new SerializationConflict(`receipt ${found.id} was assigned while it was being locked`);
  const receiptId = receipt?.id ?? null;
  const [accountId] = accountIds;
  if (accountId === undefined) return;
  const row = {
    id: deps.ids('rep'),
    identity,
    account_id: accountId,
    receipt_id: receiptId,
    request_id: requestId,
    amount_cents: amount,
    reported_at: deps.clock.now(),
    merchant_id: receipt?.merchant_id ?? null,
  };
  if (!(await insertReported(tx, row))) return;
  const fields = { reportId: row.id, receiptId, requestId, amountCents: amount };
  const message = 'the bank reports a refund that this service did not make; settle it under Refunds';
  afterCommit(tx, () => deps.log.error(fields, message));
}
