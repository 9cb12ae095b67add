import type { Queryable } from '../../db/database.ts';
import type { DeliveryDetail } from './details.ts';
import type { Reader, Rows } from './redaction.ts';
import { auditOf, notesOf } from './store.ts';
import type { TimelineEntry } from './timeline-entry.ts';

/** The actions that merchants see as well. */
const MERCHANT_ACTIONS = new Set(['delivery.resent', 'transaction.credited']);

/** Notes and actions of people. A merchant sees no internal notes and no names of operators. */
export async function peopleEntries(
  db: Queryable,
  { transaction, receipts }: Rows,
  deliveries: readonly DeliveryDetail[],
  reader: Reader,
): Promise<TimelineEntry[]> {
  const isOperator = reader === 'operator';
  const receiptIds = receipts.map((receipt) => receipt.id);
  const deliveryIds = deliveries.map(({ deliveryId }) => deliveryId);
  const notes = await notesOf(db, receiptIds);
  const actions = await auditOf(db, [transaction.id, ...deliveryIds, ...receiptIds]);
  const noteEntries = notes
    .filter((note) => isOperator || note.internal === 0)
    .map((note): TimelineEntry => {
      const author = !isOperator && note.by_operator === 1 ? null : note.actor;
      return { at: Number(note.at), key: note.id, kind: 'note', note: note.kind, text: note.text, author };
    });
  const actionEntries = actions
    // The notes already show actions on receipts.
    .filter(({ action }) => !action.startsWith('receipt.') && (isOperator || MERCHANT_ACTIONS.has(action)))
    .map(({ at, id, action, actor, operator }): TimelineEntry => {
      const author = !isOperator && operator !== 0 ? null : actor;
      return { at: Number(at), key: id, kind: 'action', action, author };
    });
  return [...noteEntries, ...actionEntries];
}
