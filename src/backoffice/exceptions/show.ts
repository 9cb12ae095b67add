import type { ReceiptNoteKind } from '../../db/tables/exceptions.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Cents } from '../../kernel/money.ts';
import { dueBack, mayBeKept } from '../../payments/exceptions/exception.ts';
import { notesOf } from '../../payments/exceptions/store.ts';
import { type ReceiptRow, receiptsOf } from '../../payments/store.ts';
import { notFound } from '../errors.ts';
import { type Candidate, candidatesOf } from './candidates.ts';
import { bankRow, type CaseRow, caseRow } from './store.ts';
import { type CaseLine, caseLine, unheld } from './view.ts';

export interface CaseNote {
  id: string;
  at: number;
  kind: ReceiptNoteKind;
  text: string;
  /** Who wrote it; null for the merchant when it was the platform. */
  actor: string | null;
  byOperator: boolean;
  internal: boolean;
}

/** One receipt that needs or needed somebody: its story, and what may be done about it now. */
export interface CaseView extends CaseLine {
  notes: CaseNote[];
  can: {
    /** It fits nothing and may be given to a transaction (the operator). */
    assign: boolean;
    /** What its transaction's open receipts make together, when that reaches the amount (the operator); else null. */
    creditCents: Cents | null;
    /** What may be marked as returned; null when nothing may. */
    returnCents: Cents | null;
    keep: boolean;
  };
  /** What the transaction's open receipts make together so far. */
  receivedCents: Cents;
}

/** What only the operator sees. */
export interface CaseDossier extends CaseView {
  candidates: Candidate[];
  requestId: string | null;
  bankOrderId: string | null;
  /** The row of the bank's list as it was read, JSON. */
  bankRow: string | null;
}

/** The merchant's view of a case of its own; what the operator wrote comes from the platform, internal notes stay there. */
export async function showCase(
  deps: Pick<Deps, 'db'>,
  merchantId: Id<'mer'>,
  receiptId: Id<'rcp'>,
): Promise<CaseView> {
  const row = await demand(deps, receiptId, merchantId);
  const known = row.held === 1 ? (receipt: ReceiptRow) => receipt.under === 1 : () => true;
  const view = await viewOf(deps, unheld(row), known);
  const notes = view.notes
    .filter((note) => !note.internal)
    .map((note) => (note.byOperator ? { ...note, actor: null } : note));
  return { ...view, notes, can: { ...view.can, assign: false, creditCents: null } };
}

/** The operator's view: with the bank's own row and, for unmatched money, where it may belong. */
export async function showDossier(deps: Pick<Deps, 'db'>, receiptId: Id<'rcp'>): Promise<CaseDossier> {
  const row = await demand(deps, receiptId, null);
  const view = await viewOf(deps, row);
  return {
    ...view,
    candidates: view.can.assign ? await candidatesOf(deps.db.read, row) : [],
    requestId: row.request_id,
    bankOrderId: row.bank_order_id,
    bankRow: await bankRow(deps.db.read, row.id),
  };
}

async function demand(
  deps: Pick<Deps, 'db'>,
  receiptId: Id<'rcp'>,
  viewer: Id<'mer'> | null,
): Promise<CaseRow> {
  const row = await caseRow(deps.db.read, receiptId, viewer);
  if (row === undefined) throw notFound();
  return row;
}

async function viewOf(
  deps: Pick<Deps, 'db'>,
  row: CaseRow,
  isKnown: (receipt: ReceiptRow) => boolean = () => true,
): Promise<CaseView> {
  const { transaction_id: transactionId } = row;
  const siblings = transactionId === null ? [] : await receiptsOf(deps.db.read, transactionId);
  const received = siblings
    .filter((receipt) => receipt.settlement === null && isKnown(receipt))
    .reduce((sum, receipt) => sum + receipt.amount_cents, 0) as Cents;
  const open = row.settlement === null;
  const short = open && row.under === 1 && row.status !== 'paid' && row.held === 0;
  const notes = await notesOf(deps.db.read, row.id);
  return {
    ...caseLine(row),
    receivedCents: received,
    can: {
      assign: open && transactionId === null,
      creditCents: short && received >= (row.due_cents ?? Number.POSITIVE_INFINITY) ? received : null,
      returnCents: open ? dueBack(row, row.due_cents) : null,
      keep: open && mayBeKept(row),
    },
    notes: notes.map((note) => ({
      id: note.id,
      at: note.at,
      kind: note.kind,
      text: note.text,
      actor: note.actor,
      byOperator: note.by_operator === 1,
      internal: note.internal === 1,
    })),
  };
}
