import type { Tx } from '../db/database.ts';
import type { AuditAction } from '../db/tables/audit.ts';
import type { Deps } from '../deps.ts';
import { SERVICE } from '../kernel/actor.ts';
import type { AuditDetails } from '../kernel/audit-words.ts';
import type { Id } from '../kernel/ids.ts';
import { type Scrub, scrubJson } from '../kernel/scrub.ts';

export interface AuditEntry {
  action: AuditAction;
  merchantId: Id<'mer'> | null;
  /** The id or name of the changed object. */
  target: string | null;
  /** The new values, without secrets. */
  details?: AuditDetails;
}

/** Writes one entry of the audit log, in the transaction of the action. */
export async function recordAudit(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'ids' | 'actor'>,
  entry: AuditEntry,
): Promise<void> {
  const actor = deps.actor ?? SERVICE;
  await tx
    .insertInto('audit_log')
    .values({
      id: deps.ids('aud'),
      at: deps.clock.now(),
      user_id: actor.userId,
      actor: actor.name,
      address: actor.address,
      merchant_id: entry.merchantId,
      action: entry.action,
      target: entry.target,
      details: entry.details === undefined ? null : JSON.stringify(entry.details),
    })
    .execute();
}

/** Actions whose details quote a note, or the reason of a refund. */
const QUOTING_ACTIONS: readonly AuditAction[] = [
  'receipt.noted',
  'receipt.assigned',
  'receipt.kept',
  'receipt.returned',
  'transaction.credited',
  'refund.created',
  'refund.settled',
  'refund.recorded',
  'refund.dismissed',
];

/** Removes a person's data from quoted note texts of these targets. */
export async function eraseQuotedNotes(tx: Tx, targets: readonly string[], scrub: Scrub): Promise<void> {
  if (targets.length === 0) return;
  const rows = await tx
    .selectFrom('audit_log')
    .select(['id', 'details'])
    .where('action', 'in', QUOTING_ACTIONS)
    .where('target', 'in', targets)
    .where('details', 'is not', null)
    .execute();
  for (const { id, details } of rows) {
    const scrubbed = scrubJson(scrub, details ?? '');
    if (scrubbed === details) continue;
    await tx.updateTable('audit_log').set({ details: scrubbed }).where('id', '=', id).execute();
  }
}
