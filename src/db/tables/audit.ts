import type { Id } from '../../kernel/ids.ts';

/** All actions of the audit log, by area. */
export const AUDIT_ACTIONS = [
  'user.created',
  'user.reset',
  'user.password_changed',
  'user.totp_enabled',
  'user.totp_disabled',
  'user.recovery_replaced',
  'user.recovery_used',
  'user.passkey_added',
  'user.passkey_removed',
  'user.passkey_refused',
  'user.signed_in',
  'user.changed',
  'session.revoked',
  'member.invited',
  'member.joined',
  'member.changed',
  'member.removed',
  'merchant.created',
  'merchant.changed',
  'key.created',
  'key.rolled',
  'key.revoked',
  'key.revealed',
  'secret.rotated',
  'secret.rotation_finished',
  'secret.revealed',
  'secret_key.changed',
  'domain.added',
  'domain.removed',
  'webhook.changed',
  'bank.changed',
  'bank.routed',
  'delivery.resent',
  'deliveries.recovered',
  'test.sent',
  'transaction.released',
  'transaction.credited',
  'receipt.assigned',
  'receipt.returned',
  'receipt.kept',
  'receipt.noted',
  'link.created',
  'link.closed',
  'brand.changed',
  'refund.created',
  'refund.changed',
  'refund.settled',
  'refunds.exported',
  'refund.recorded',
  'refund.dismissed',
  'lead.erased',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** One entry of the audit log. Never changed, never deleted. */
export interface AuditTable {
  id: Id<'aud'>;
  /** UTC milliseconds. */
  at: number;
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
