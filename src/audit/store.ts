import type { Tx } from '../db/database.ts';
import type { AuditAction } from '../db/tables/audit.ts';
import type { Deps } from '../deps.ts';
import { SERVICE } from '../kernel/actor.ts';
import type { Id } from '../kernel/ids.ts';

export interface AuditEntry {
  action: AuditAction;
  merchantId: Id<'mer'> | null;
  /** The id or name of what is changed. */
  target: string | null;
  /** What it is changed to. Never a secret. */
  details?: Record<string, unknown>;
}

/** Writes one line of the audit log in the unit of what it tells, so that neither stands without the other. */
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
