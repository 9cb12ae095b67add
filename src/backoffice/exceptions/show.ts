import type { Queryable } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Cents } from '../../kernel/money.ts';
import { dueBack, mayBeKept } from '../../payments/exceptions/exception.ts';
import { notesOf } from '../../payments/exceptions/store.ts';
import { notFound } from '../errors.ts';
import { candidatesOf } from './candidates.ts';
import { caseView, withoutHold } from './list.ts';
import { type CaseRow, type CaseScope, caseRow, openSums } from './store.ts';

/** A case on its merchant's page, without internal notes and without the names of operators. */
export async function showCase(deps: Pick<Deps, 'db'>, scope: CaseScope, receiptId: Id<'rcp'>) {
  const { view } = await caseOf(deps, receiptId, scope);
  const notes = view.notes
    .filter((note) => !note.internal)
    .map((note) => (note.byOperator ? { ...note, actor: null } : note));
  return { ...view, notes, can: { ...view.can, assign: false, creditCents: null } };
}

/** A case for operators, with the bank's record and, for unmatched money, the candidates. */
export async function showDossier(deps: Pick<Deps, 'db'>, receiptId: Id<'rcp'>) {
  const { row, view } = await caseOf(deps, receiptId, { viewer: null });
  return {
    ...view,
    candidates: view.can.assign ? await candidatesOf(deps.db.read, row) : [],
    requestId: row.request_id,
    bankOrderId: row.bank_order_id,
    bankRow: row.record,
  };
}

function caseOf({ db }: Pick<Deps, 'db'>, receiptId: Id<'rcp'>, scope: CaseScope) {
  return db.snapshot(async (read) => {
    const row = await caseRow(read, receiptId, scope);
    if (row === undefined) throw notFound();
    const view = await viewOf(read, scope.viewer === null ? row : withoutHold(row), scope.viewer);
    return { row, view };
  });
}

async function viewOf(db: Queryable, row: CaseRow, viewer: Id<'mer'> | null) {
  const { transaction_id: transactionId } = row;
  const sums = await openSums(db, transactionId === null ? [] : [transactionId], viewer);
  const received = transactionId === null ? undefined : sums.get(transactionId);
  const view = caseView(row, received ?? (0 as Cents));
  const isOpen = row.settlement === null;
  const notes = await notesOf(db, row);
  return {
    ...view,
    can: {
      /** Operators only. */
      assign: isOpen && transactionId === null,
      /** The sum that can be credited, once it reaches the amount. Operators only. */
      creditCents: view.missingCents === 0 ? view.receivedCents : null,
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
