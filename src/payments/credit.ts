import { recordAudit } from '../audit/store.ts';
import type { Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { OperatorError } from '../kernel/errors.ts';
import { eurosFromCents } from '../kernel/money.ts';
import type { MoveDeps } from './announce.ts';
import { attemptsOf } from './attempt-store.ts';
import { CaseRefused } from './exceptions/case-refused.ts';
import { insertNotes, settleOpenReceipt } from './exceptions/exception-store.ts';
import { noteRow, noteText } from './exceptions/note.ts';
import { markPaid } from './settle.ts';
import { type ShownTransaction, showTransaction } from './show.ts';
import { lockTransaction, type ReceiptRow, receiptsOf } from './store.ts';

/**
 * The operator's credit: a transaction whose receipts, each too small by itself, together reach its amount becomes
 * paid, at the bank's time of the receipt that completed it; payment.success. OperatorError when they do not, or when
 * it is paid or held. `note` is what the operator says about it, written to each receipt.
 */
export async function creditTransaction(
  deps: MoveDeps & Pick<Deps, 'db' | 'actor'>,
  id: string,
  note = '',
): Promise<ShownTransaction['transaction']> {
  await deps.db.unit(async (tx) => {
    const row = await lockTransaction(tx, id);
    if (row === undefined) throw new OperatorError(`there is no transaction ${id}`);
    if (row.status === 'paid') throw new CaseRefused('paid', `transaction ${id} is paid already`);
    if (row.held === 1) throw new CaseRefused('held', `transaction ${id} is held: release it instead`);
    // What was returned is no longer here to be credited.
    const receipts = (await receiptsOf(tx, row.id)).filter((receipt) => receipt.settlement === null);
    const received = receipts.reduce((sum, receipt) => sum + receipt.amount_cents, 0);
    const newest = receipts.toSorted((a, b) => a.paid_at - b.paid_at).at(-1);
    if (newest === undefined || received < row.amount_cents) {
      throw new CaseRefused(
        'credit_short',
        `transaction ${id} cannot be credited: its receipts make ${received / 100} of ${eurosFromCents(row.amount_cents)} EUR`,
        { receivedCents: received, amountCents: row.amount_cents },
      );
    }
    await markCredited(tx, deps, receipts, note);
    const attempt = (await attemptsOf(tx, row.id)).find((candidate) => candidate.id === newest.attempt_id);
    await markPaid(tx, deps, row, {
      paidAt: newest.paid_at,
      method: attempt?.method ?? newest.method ?? 'REFERENCE',
      attemptId: newest.attempt_id,
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

async function markCredited(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'ids' | 'actor'>,
  receipts: readonly ReceiptRow[],
  note: string,
): Promise<void> {
  const now = deps.clock.now();
  for (const receipt of receipts) {
    const settled = await settleOpenReceipt(tx, receipt, 'credited', now);
    if (!settled) throw new Error(`receipt ${receipt.id} changed while it was being credited`);
  }
  const credited = { kind: 'credited', text: noteText(note), operator: true, internal: false } as const;
  await insertNotes(
    tx,
    receipts.map((receipt) => noteRow(deps, receipt.id, credited)),
  );
}
