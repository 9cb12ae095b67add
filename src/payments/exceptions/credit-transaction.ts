import { recordAudit } from '../../audit/store.ts';
import type { Deps } from '../../deps.ts';
import { OperatorError, Refusal } from '../../kernel/errors.ts';
import { eurosFromCents } from '../../kernel/money.ts';
import { attemptsOf } from '../attempt-store.ts';
import { openReportedCents } from '../refunds/reported-store.ts';
import { markPaid } from '../settle.ts';
import { type ShownTransaction, showTransaction } from '../show.ts';
import { lockReceiptRow, lockTransaction, type ReceiptRow, receiptsOf } from '../store.ts';
import type { EndDeps } from '../transitions.ts';
import { noteText, writeNote } from './exception.ts';
import { changeReceipt } from './store.ts';

/**
 * Credits a transaction whose open receipts add up to its amount: it becomes paid at the bank's time of the newest receipt,
 * and payment.success is sent. Money that the bank reports as refunded does not count. Throws OperatorError when they add up to
 * less, or when the transaction is paid or held. Writes the operator's `note` to each receipt. With `seenCents`, the sum of the
 * open receipts that the operator saw, refuses another sum.
 */
export async function creditTransaction(
  deps: EndDeps & Pick<Deps, 'db' | 'actor'>,
  id: string,
  note = '',
  seenCents?: number,
): Promise<ShownTransaction['transaction']> {
  const text = noteText(note);
  await deps.db.unit(async (tx) => {
    const row = await lockTransaction(tx, id);
    if (row === undefined) throw new OperatorError(`there is no transaction ${id}`);
    if (row.status === 'paid') throw new Refusal('case_paid', `transaction ${id} is paid already`);
    if (row.held === 1) throw new Refusal('case_held', `transaction ${id} is held: release it instead`);
    const receipts: ReceiptRow[] = [];
    let received = 0;
    let open = 0;
    for (const receipt of await receiptsOf(tx, row)) {
      // Locked, so that a concurrent report of a refund is seen.
      await lockReceiptRow(tx, receipt);
      if (receipt.settlement === null) open += receipt.amount_cents;
      const counted = countedCents(receipt, await openReportedCents(tx, receipt));
      if (counted <= 0) continue;
      receipts.push(receipt);
      received += counted;
    }
    if (seenCents !== undefined && seenCents !== open)
      throw new Refusal('case_changed', `the receipts of transaction ${id} have changed since you looked`);
    const newest = receipts.toSorted((a, b) => a.paid_at - b.paid_at).at(-1);
    if (newest === undefined || received < row.amount_cents) {
      throw new Refusal(
        'case_credit_short',
        `transaction ${id} cannot be credited: its receipts make ${received / 100} of ${eurosFromCents(row.amount_cents)} EUR`,
        { receivedCents: received, amountCents: row.amount_cents },
      );
    }
    const credited = { settlement: 'credited', settled_at: deps.clock.now() } as const;
    for (const receipt of receipts) await changeReceipt(tx, receipt, credited);
    await writeNote(tx, deps, receipts, { kind: 'credited', text, operator: true });
    const attempt = (await attemptsOf(tx, row)).find((candidate) => candidate.id === newest.attempt_id);
    await markPaid(tx, deps, row, {
      paid_at: newest.paid_at,
      paid_method: attempt?.method ?? newest.method ?? 'REFERENCE',
      paid_attempt_id: newest.attempt_id,
    });
    await recordAudit(tx, deps, {
      action: 'transaction.credited',
      merchantId: row.merchant_id,
      target: row.id,
      details: { amountCents: row.amount_cents, receivedCents: received },
    });
  });
  return (await showTransaction(deps, id)).transaction;
}

/**
 * The cents that a receipt adds to a credit: its amount minus its refunds that have not failed and those that the bank reports; 0
 * when it is settled otherwise than as refunded.
 */
function countedCents({ settlement, amount_cents, refund_cents }: ReceiptRow, reported: number): number {
  return settlement === null || settlement === 'refunded' ? amount_cents - refund_cents - reported : 0;
}
