import type { Id } from '../kernel/ids.ts';
import { selectMerchant } from '../merchants/store.ts';
import type { AtMerchant, BackofficeContext, Scoped, SignedIn } from './context.ts';
import { BackofficeError, notFound, sessionEnded } from './errors.ts';
import { findRole } from './people/member-store.ts';

/** Who may call a procedure. `viewer` and `owner` are those of the merchant that the input names. */
export type Who = 'anyone' | 'user' | 'viewer' | 'owner' | 'operator';

/** The access rules of a procedure or a download. */
export interface BackofficeMeta {
  readonly who: Who;
  /** Requires the password (and a code where the second factor is on) or a passkey, entered in the last 10 minutes. */
  readonly fresh?: boolean;
  /** Open to operators with the merchant `null`, which means all merchants. */
  readonly orAll?: boolean;
  /** Open to a person who must change the password first. */
  readonly beforePasswordChange?: boolean;
  /** Open to a person who must turn the second factor on first. */
  readonly beforeFactor?: boolean;
}

const FRESH_MS = 10 * 60_000;

/**
 * Authorises every call. Resolves to the caller's data for the procedure; throws BackofficeError. Reads the role from the
 * database each time, so that the removal of a role takes effect with the next call.
 */
export async function authorise(
  ctx: BackofficeContext,
  meta: BackofficeMeta,
  readMerchantId: () => Promise<unknown>,
): Promise<Partial<Scoped>> {
  if (meta.who === 'anyone') return {};
  const caller = requireSignedIn(ctx, meta);
  const isAtMerchant = meta.who === 'viewer' || meta.who === 'owner';
  const merchantId = isAtMerchant ? await readMerchantId() : undefined;
  const granted =
    meta.orAll === true && merchantId === null
      ? atAll(requireSignedIn(ctx, { ...meta, who: 'operator' }))
      : isAtMerchant
        ? await requireMember(ctx, caller, meta.who, merchantId)
        : caller;
  if (meta.fresh && !isFresh(ctx, caller)) {
    throw new BackofficeError('REAUTHENTICATE', 'Enter your password again to continue.');
  }
  return granted;
}

const atAll = (caller: SignedIn): Scoped => ({ ...caller, merchantId: null, role: 'owner' });

/**
 * A session that must still be confirmed with a passkey is not fresh, so that a password alone cannot add another second factor.
 */
function isFresh({ deps }: BackofficeContext, { user, session }: SignedIn): boolean {
  if (user.factorDue && user.passkeys === 'required') return false;
  return deps.clock.now() - session.verifiedAt < FRESH_MS;
}

/** The checks of `authorise` that need no input. */
export function requireSignedIn({ user, session }: BackofficeContext, meta: BackofficeMeta): SignedIn {
  if (user === null || session === null) {
    throw sessionEnded();
  }
  if (user.passwordChange && !meta.beforePasswordChange) {
    throw new BackofficeError('PASSWORD_CHANGE', 'Change your password first.');
  }
  if (user.factorDue && !meta.beforeFactor) {
    throw new BackofficeError('SECOND_FACTOR', 'Turn on two-factor authentication first.');
  }
  if (meta.who === 'operator' && !user.operator) {
    throw new BackofficeError('FORBIDDEN', 'Only operators of the platform can do this.');
  }
  return { user, session };
}

async function requireMember(
  { deps }: BackofficeContext,
  caller: SignedIn,
  who: Who,
  merchantId: unknown,
): Promise<AtMerchant> {
  if (!isMerchantId(merchantId)) throw notFound();
  const role = await roleAt(deps, caller, merchantId);
  if (role === null) throw notFound();
  if (who === 'owner' && role !== 'owner') {
    throw new BackofficeError('FORBIDDEN', 'Only owners can do this. You have view access.');
  }
  return { ...caller, merchantId, role };
}

function isMerchantId(value: unknown): value is Id<'mer'> {
  return typeof value === 'string' && value.startsWith('mer_');
}

async function roleAt({ db }: BackofficeContext['deps'], { user }: SignedIn, merchantId: Id<'mer'>) {
  if (!user.operator) return await findRole(db.read, user.id, merchantId);
  return (await selectMerchant(db.read, merchantId)) === null ? null : 'owner';
}
