import { recordAudit } from '../../audit/store.ts';
import type { Tx } from '../../db/database.ts';
import type { AuditAction } from '../../db/tables/audit.ts';
import type { UserTable } from '../../db/tables/backoffice.ts';
import type { AuditDetails } from '../../kernel/audit-words.ts';
import type { Id } from '../../kernel/ids.ts';
import type { BackofficeContext } from '../context.ts';

/** Records a person's change of their own account. They are the actor even before they have a session. */
export async function auditUser(
  tx: Tx,
  { deps, address }: Pick<BackofficeContext, 'deps' | 'address'>,
  user: Pick<UserTable, 'id' | 'email'>,
  action: AuditAction,
  details: AuditDetails = {},
  merchantId: Id<'mer'> | null = null,
): Promise<void> {
  const actor = { userId: user.id, name: user.email, address };
  const entry = { action, merchantId, target: user.id, details: { email: user.email, ...details } };
  await recordAudit(tx, { ...deps, actor }, entry);
}
