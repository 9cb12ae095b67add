import type { Id } from '../../kernel/ids.ts';

/** Everything that the audit log can tell, in the order of the areas. A closed list: a new action is added here first. */
export const AUDIT_ACTIONS = [
  'user.created',
  'user.reset',
  'user.password_changed',
  'user.totp_enabled',
  'user.totp_disabled',
  'user.signed_in',
  'user.changed',
  'session.revoked',
  'member.invited',
  'member.joined',
  'member.changed',
  'member.removed',
  'merchant.created',
  'merchant.changed',
  'key.rolled',
  'key.revealed',
  'secret.rotated',
  'secret.rotation_finished',
  'secret.revealed',
  'secret_key.changed',
  'domain.added',
  'domain.removed',
  'webhook.changed',
  'bank.changed',
  'delivery.resent',
  'deliveries.recovered',
  'test.sent',
  'transaction.released',
  'transaction.credited',
  'receipt.assigned',
  'receipt.returned',
  'receipt.kept',
  'receipt.noted',
  'lead.erased',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** One line of the audit log: who did what, to what, when and from where. Never changed, never deleted. */
export interface AuditTable {
  id: Id<'aud'>;
  /** UTC milliseconds. */
  at: number;
  user_id: Id<'usr'> | null;
  /** The user's e-mail at that time, or `service`, `command line`. */
  actor: string;
  address: string | null;
  /** The merchant whose affair it is; null for affairs of the platform or of a user. */
  merchant_id: Id<'mer'> | null;
  action: AuditAction;
  /** The id or name of what was changed. */
  target: string | null;
  /** JSON of what it was changed to; no secret is ever inside. */
  details: string | null;
}
