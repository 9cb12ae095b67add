import type { Id } from '../../kernel/ids.ts';

/** The people of the back office, and how they come in. Instants in UTC milliseconds, truth values 0 or 1. */
export type Role = 'owner' | 'viewer';

export interface UserTable {
  id: Id<'usr'>;
  /** Lower case, unique. */
  email: string;
  /** With its parameters and salt; null until an invited person has chosen a password. */
  password_hash: string | null;
  /** 1 when the password was given by somebody else and must be changed before anything else. */
  password_change: 0 | 1;
  /** Sealed for `users.totp_secret:<id>`; null without a second factor. */
  totp_secret: string | null;
  /** A secret that was shown and not confirmed by a code yet, sealed for the same place. */
  totp_pending: string | null;
  /** The newest 30 s step whose code was accepted: neither it nor an older one is accepted again. */
  totp_step: number | null;
  /** 1 for the platform's own people. */
  operator: 0 | 1;
  active: 0 | 1;
  created_at: number;
  signed_in_at: number | null;
}

export interface MembershipTable {
  user_id: Id<'usr'>;
  merchant_id: Id<'mer'>;
  role: Role;
  created_at: number;
}

export interface SessionTable {
  id: Id<'ses'>;
  user_id: Id<'usr'>;
  /** SHA-256 of the cookie's token, lower-case hex. */
  token_hash: string;
  created_at: number;
  /** When it was last used, to the minute. */
  seen_at: number;
  /** When it ends, however much it is used. */
  expires_at: number;
  /** When the password was last given. */
  verified_at: number;
  address: string;
  user_agent: string;
}

export interface UserLinkTable {
  /** SHA-256 of the link's token, lower-case hex. */
  token_hash: string;
  user_id: Id<'usr'>;
  kind: 'invite' | 'reset';
  /** What an invitation leads to; null for a reset. */
  merchant_id: Id<'mer'> | null;
  role: Role | null;
  /** 1 when the second factor is removed as well. */
  totp: 0 | 1;
  created_at: number;
  /** When it ends: 24 h after it was made, or when it is used. */
  expires_at: number;
  used_at: number | null;
}
