import type { Role } from '../db/tables/backoffice.ts';
import type { Deps } from '../deps.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Id } from '../kernel/ids.ts';
import type { Throttle } from './people/throttle.ts';

/** Somebody who signed in. */
export interface User {
  readonly id: Id<'usr'>;
  readonly email: string;
  /** One of the platform's own people: counts as owner of every merchant. */
  readonly operator: boolean;
  /** Whether the password must be changed before anything else. */
  readonly passwordChange: boolean;
  /** Whether signing in takes a second factor. */
  readonly totp: boolean;
}

/** A signed-in browser. Instants in UTC milliseconds. */
export interface Session {
  readonly id: Id<'ses'>;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** When the password was last given. */
  readonly verifiedAt: number;
}

/** What one call brings along. */
export interface BackofficeContext {
  /** `deps.actor` is the caller, so that verbs given these write the audit log in its name. */
  readonly deps: Deps;
  readonly user: User | null;
  readonly session: Session | null;
  readonly actor: Actor;
  readonly address: string;
  readonly userAgent: string;
  readonly requestId: string;
  /** Counts tries of passwords and codes, over all calls. */
  readonly throttle: Throttle;
  /** Sets the session's cookie with this answer, or takes it away (null). */
  setCookie(token: string | null): void;
}

/** What the procedures of a signed-in person read besides. */
export interface SignedIn {
  readonly user: User;
  readonly session: Session;
}

/** What the procedures of one merchant read besides: the merchant is there, and the person may see it. */
export interface AtMerchant extends SignedIn {
  readonly merchantId: Id<'mer'>;
  /** An operator is an owner everywhere. */
  readonly role: Role;
}
