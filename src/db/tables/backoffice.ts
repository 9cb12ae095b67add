import type { Id } from '../../kernel/ids.ts';
import type { Language } from '../../kernel/language.ts';

/** The roles of a merchant's users. */
export const ROLES = ['owner', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/** A user of the back office. Instants in UTC milliseconds, booleans 0 or 1. */
export interface UserTable {
  id: Id<'usr'>;
  /** Lower case, unique. */
  email: string;
  /** The hash with its parameters and salt; null until an invited person has chosen a password. */
  password_hash: string | null;
  /** 1 when the user must change the password first, because another person set it. */
  password_change: 0 | 1;
  /** Encrypted for `users.totp_secret:<id>`; null without a second factor. */
  totp_secret: string | null;
  /** A secret that awaits its first code, encrypted for `users.totp_secret:<id>`. */
  totp_pending: string | null;
  /** The newest accepted 30 s step; its code and older ones are refused. */
  totp_step: number | null;
  /** 1 for operators of the platform. */
  operator: 0 | 1;
  active: 0 | 1;
  created_at: number;
  signed_in_at: number | null;
  /** The audit entry of the newest change of a bank account that the operator has dismissed. */
  bank_seen: Id<'aud'> | null;
  /** 1 when the account came from an invitation, whose link the inviter could have used; 0 after a reset link of the operator. */
  unverified: 0 | 1;
  /** The language that the user last chose; null before the first visit. */
  language: Language | null;
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
  /** The absolute end of the session. */
  expires_at: number;
  /** When the password was last entered, or a passkey used. */
  verified_at: number;
  address: string;
  user_agent: string;
  /** The passkey that started or last confirmed the session; it may have been removed since. */
  passkey_id: Id<'pky'> | null;
}

export interface UserLinkTable {
  /** SHA-256 of the link's token, lower-case hex. */
  token_hash: string;
  user_id: Id<'usr'>;
  kind: 'invite' | 'reset';
  /** The merchant of an invitation; null for a reset. */
  merchant_id: Id<'mer'> | null;
  role: Role | null;
  /** 1 when the second factor is removed as well. */
  totp: 0 | 1;
  created_at: number;
  /** 24 h after creation, or when the link is used. */
  expires_at: number;
  used_at: number | null;
}

/** The unused recovery codes of a person. */
export interface RecoveryCodeTable {
  user_id: Id<'usr'>;
  /** SHA-256 of the user's id and the code, lower-case hex. */
  hash: string;
}

/** A passkey of a person: only its public half. */
export interface PasskeyTable {
  id: Id<'pky'>;
  user_id: Id<'usr'>;
  /** The authenticator's credential id: base64url, unique. */
  credential_id: string;
  /** COSE key, base64url. */
  public_key: string;
  /** The authenticator's signature counter; 0 when it has none. */
  counter: number;
  /** The name chosen by the user. */
  name: string;
  created_at: number;
  used_at: number | null;
}

/** A challenge that a passkey has not answered. */
export interface PasskeyChallengeTable {
  /** SHA-256 of the challenge, lower-case hex. */
  challenge_hash: string;
  kind: 'add' | 'sign_in' | 'confirm';
  /** The signed-in user; null for a sign-in. */
  user_id: Id<'usr'> | null;
  expires_at: number;
}
