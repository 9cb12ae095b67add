import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Cents } from '../../kernel/money.ts';
import { dueBack, mayBeKept } from '../../payments/exceptions/exception.ts';
import { notesOf } from '../../payments/exceptions/store.ts';
import { type ReceiptRow, receiptsOf } from '../../payments/store.ts';
import { notFound } from '../errors.ts';
import { candidatesOf } from './candidates.ts';
import { caseView, withoutHold } from './list.ts';
import { bankRow, type CaseRow, caseRow } from './store.ts';

/** A merchant's own case, without internal notes and without the names of operators. */
export async function showCase(deps: Pick<Deps, 'db'>, merchantId: Id<'mer'>, receiptId: Id<'rcp'>) {
  const row = await requireCase(deps, receiptId, merchantId);
  const view = await viewOf(deps, withoutHold(row), (receipt) => row.held === 0 || receipt.under === 1);
  const notes = view.notes
    .filter((note) => !note.internal)
    .map((note) => (note.byOperator ? { ...note, actor: null } : note));
  return { ...view, notes, can: { ...view.can, assign: false, creditCents: null } };
}

/** A case for operators, with the bank's record and, for unmatched money, the candidates. */
export async function showDossier(deps: Pick<Deps, 'db'>, receiptId: Id<'rcp'>) {
  const row = await requireCase(deps, receiptId, null);
  const view = await viewOf(deps, row, () => true);
  return {
    ...view,
    candidates: view.can.assign ? await candidatesOf(deps.db.read, row) : [],
    requestId: row.request_id,
    bankOrderId: row.bank_order_id,
    bankRow: await bankRow(deps.db.read, row.id),
  };
}

async function requireCase(
  deps: Pick<Deps, 'db'>,
  receiptId: Id<'rcp'>,
  viewer: Id<'mer'> | null,
): Promise<CaseRow> {
  const row = await caseRow(deps.db.read, receiptId, viewer);
  if (row === undefined) throw notFound();
  return row;
}

async function viewOf(deps: Pick<Deps, 'db'>, row: CaseRow, isVisible: (receipt: ReceiptRow) => boolean) {
  const { transaction_id: transactionId } = row;
  const receipts = transactionId === null ? [] : await receiptsOf(deps.db.read, transactionId);
  const received = receipts
    .filter((receipt) => receipt.settlement === null && isVisible(receipt))
    .reduce((sum, receipt) => sum + receipt.amount_cents, 0) as Cents;
  const isOpen = row.settlement === null;
  const isShort = isOpen && row.under === 1 && row.status !== 'paid' && row.held === 0;
  const notes = await notesOf(deps.db.read, row.id);
  return {
    ...caseView(row),
    /** The sum of the transaction's open receipts. */
    receivedCents: received,
    can: {
      /** Operators only. */
      assign: isOpen && transactionId === null,
      /** The sum that can be credited, once it reaches the amount. Operators only. */
      creditCents: isShort && received >= (row.due_cents ?? Number.POSITIVE_INFINITY) ? received : null,
      returnCents: isOpen ? dueBack(row, row.due_cents) : null,
      keep: isOpen && mayBeKept(row),
    },
    notes: notes.map((note) => ({
      id: note.id,
      at: note.at,
      kind: note.kind,
      text: note.text,
      actor: note.actor as string | null,
      byOperator: note.by_operator === 1,
      internal: note.internal === 1,
    })),
  };
}
