import { recordAudit } from '../../audit/store.ts';
import type { Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { SERVICE } from '../../kernel/actor.ts';
import { Refusal } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { lockReceipt, noteText } from '../exceptions/exception.ts';
import { lockReceiptRow } from '../store.ts';
import { EVERYTHING, type RefundDeps } from './move.ts';
import { placeRefund } from './place-refund.ts';
import { closeReported, findReported, lateReports, linkReport, type ReportedRow } from './reported-store.ts';

/** Far more than wait at any time; the others follow with the next call. */
const LINKED_MAX = 500;

/** Links the open reports that arrived before their payment was recorded. */
export async function linkReports({ db }: Pick<Deps, 'db'>): Promise<void> {
  const late = await lateReports(db.read, LINKED_MAX);
  if (late.length === 0) return;
  await db.unit(async (tx) => {
    for (const report of late) {
      const { receipt_id: id, merchant_id } = report;
      // A receipt that has been assigned since is another merchant's; the next call links it.
      if ((await lockReceiptRow(tx, { id, merchant_id })) !== undefined) await linkReport(tx, report);
    }
  });
}

/**
 * Records a reported refund as a refund of its receipt, dated when the bank reported it. Throws Refusal when it exceeds the
 * receipt's refundable amount, or when the report is already settled.
 */
export async function recordReported(
  deps: RefundDeps & Pick<Deps, 'log'>,
  order: { reportId: Id<'rep'>; note: string },
): Promise<Id<'ref'>> {
  const note = requiredNote(order.note);
  await linkReports(deps);
  return deps.db.unit(async (tx) => {
    const report = await openReport(tx, order.reportId);
    const { receipt_id: receiptId, amount_cents: amount } = report;
    if (receiptId === null || amount === null)
      throw new Refusal(
        'refund_reported_unmatched',
        `the report ${report.id} names no receipt or no amount: dismiss it with a note`,
      );
    const locked = await lockReceipt(tx, receiptId, EVERYTHING);
    const refundId = await placeRefund(tx, deps, locked, {
      amount,
      reason: null,
      iban: null,
      name: null,
      retryOf: null,
      // A separate identity, so that a later notification of the same amount is matched to another refund.
      made: { at: report.reported_at, notification: `reported ${report.id}`, note },
    });
    await close(tx, deps, report, note, refundId);
    return refundId;
  });
}

/** Settles a reported refund without recording a refund. Throws Refusal when it is already settled. */
export async function dismissReported(
  deps: RefundDeps,
  order: { reportId: Id<'rep'>; note: string },
): Promise<void> {
  const note = requiredNote(order.note);
  await deps.db.unit(async (tx) => {
    const report = await openReport(tx, order.reportId);
    await close(tx, deps, report, note, null);
    await recordAudit(tx, deps, {
      action: 'refund.dismissed',
      merchantId: null,
      target: report.id,
      details: { receiptId: report.receipt_id, amountCents: report.amount_cents, note },
    });
  });
}

async function openReport(tx: Tx, id: Id<'rep'>): Promise<ReportedRow> {
  const report = await findReported(tx, id);
  if (report === undefined || report.settled_at !== null) throw settledBefore(id);
  return report;
}

async function close(
  tx: Tx,
  deps: RefundDeps,
  report: ReportedRow,
  note: string,
  refundId: Id<'ref'> | null,
): Promise<void> {
  const changes = { settled_at: deps.clock.now(), refund_id: refundId, note };
  const actor = (deps.actor ?? SERVICE).name;
  if (!(await closeReported(tx, report, { ...changes, actor }))) throw settledBefore(report.id);
}

function settledBefore(id: string): Refusal {
  return new Refusal('refund_reported_settled', `the report ${id} does not exist or was settled already`);
}

/** The trimmed note. Throws Refusal when it is empty. */
export function requiredNote(text: string): string {
  const note = noteText(text);
  if (note !== '') return note;
  throw new Refusal('refund_note_missing', 'write a note that says how the outcome is known');
}
