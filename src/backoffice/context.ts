import type { Role } from '../db/tables/backoffice.ts';
import type { Deps } from '../deps.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import type { Id } from '../kernel/ids.ts';
import type { Language } from '../kernel/language.ts';
import type { Resolve } from '../webhooks/transport/resolve.ts';
import type { PasskeySite } from './people/passkey-site.ts';
import type { Throttle } from './people/throttle.ts';

export interface User {
  readonly id: Id<'usr'>;
  readonly email: string;
  /** A member of the platform's staff: has the rights of an owner at every merchant. */
  readonly operator: boolean;
  /** The language of the user's mail; null before the first visit. */
  readonly language: Language | null;
  /** Whether the password must be changed first. */
  readonly passwordChange: boolean;
  /** Whether the second factor is on: a code of the authenticator at each sign-in with the password. */
  readonly totp: boolean;
  /** Whether the user has passkeys; `required` when they are the only second factor of a user who needs one. */
  readonly passkeys: 'none' | 'optional' | 'required';
  /** Whether a second factor must be turned on, or the session confirmed with a passkey, first. */
  readonly factorDue: boolean;
}

export interface Session {
  readonly id: Id<'ses'>;
  /** The time when the password was last entered, or a passkey used, in UTC milliseconds. */
  readonly verifiedAt: number;
}

export interface EndpointTools {
  readonly deps: Deps;
  /** Counts attempts to guess passwords and codes. */
  readonly throttle: Throttle;
  /** Counts the test events, resends and recoveries of each merchant; null without a limit. */
  readonly sendLimit: RateLimit | null;
  /** Resolves the hosts of webhook URLs; shared, because it limits the concurrent lookups by the system. */
  readonly resolve: Resolve;
}

/** The context of a call. `deps.actor` is the caller, whom the audit log names. */
export interface BackofficeContext extends EndpointTools {
  readonly user: User | null;
  readonly session: Session | null;
  readonly address: string;
  readonly userAgent: string;
  /** The site where passkeys work; null when they work nowhere. */
  readonly passkeySite: PasskeySite | null;
  readonly requestId: string;
  /** The cookie that identifies a known browser; null when there is none. */
  readonly device: string | null;
  /** Sets the session cookie, or clears it (null). */
  setCookie(token: string | null): void;
  setDevice(cookie: string): void;
}

export interface SignedIn {
  readonly user: User;
  readonly session: Session;
}

/** Additional context for procedures of one merchant, or of an operator at all merchants together (null). */
export interface Scoped extends SignedIn {
  readonly merchantId: Id<'mer'> | null;
  /** Operators are owners. */
  readonly role: Role;
}

/** Additional context for procedures of one merchant: an existing merchant that the caller may access. */
export interface AtMerchant extends Scoped {
  readonly merchantId: Id<'mer'>;
}

export type UserContext = BackofficeContext & SignedIn;
export type MerchantContext = BackofficeContext & AtMerchant;
