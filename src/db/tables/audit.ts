import { AUDIT_WORDS } from '../../kernel/audit-words.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Instant } from './columns.ts';

export const AUDIT_ACTIONS = Object.keys(AUDIT_WORDS.actions) as AuditAction[];

export type AuditAction = keyof typeof AUDIT_WORDS.actions;

/** One entry of the audit log. Never changed, never deleted. */
export interface AuditTable {
  id: Id<'aud'>;
  at: Instant;
  user_id: Id<'usr'> | null;
  /** The user's e-mail at that time, or `service`, `command line`. */
  actor: string;
  address: string | null;
  /** The merchant concerned; null for actions on the platform or a user. */
  merchant_id: Id<'mer'> | null;
  action: AuditAction;
  /** The id or name of the changed object. */
  target: string | null;
  /** JSON of the new values, without secrets. */
  details: string | null;
}
