import type { Role } from '../db/tables/backoffice.ts';
import type { Id } from '../kernel/ids.ts';
import type { AtMerchant, BackofficeContext, SignedIn } from './context.ts';
import { BackofficeError, notFound } from './errors.ts';
import { findMerchantName, findRole } from './people/member-store.ts';

/** Who may call a procedure. `viewer` and `owner` are those of the merchant that the input names. */
export type Who = 'anyone' | 'user' | 'viewer' | 'owner' | 'operator';

/** What a procedure, or an export, declares of its callers. */
export interface BackofficeMeta {
  readonly who: Who;
  /** Needs the password to have been given within the last 10 minutes. */
  readonly fresh?: boolean;
  /** Open to a person whose password must be changed first. */
  readonly beforePasswordChange?: boolean;
}

const FRESH_MS = 10 * 60_000;

/**
 * The one place that decides who may call what. Resolves to what the procedure may know of its caller; throws BackofficeError. Reads the
 * database each time, so that a role taken away counts with the next call.
 */
export async function authorise(
  ctx: BackofficeContext,
  meta: BackofficeMeta,
  readMerchantId: () => Promise<unknown>,
): Promise<Partial<AtMerchant>> {
  if (meta.who === 'anyone') return {};
  const caller = demandCaller(ctx, meta);
  const atMerchant = meta.who === 'viewer' || meta.who === 'owner';
  if (meta.who === 'operator' && !caller.user.operator)
    throw forbidden('This is for the platform’s own people.');
  const granted = atMerchant ? await memberOf(ctx, caller, meta.who, await readMerchantId()) : caller;
  if (meta.fresh && ctx.deps.clock.now() - caller.session.verifiedAt >= FRESH_MS) {
    throw new BackofficeError('REAUTHENTICATE', 'Give your password again before this.');
  }
  return granted;
}

function demandCaller({ user, session }: BackofficeContext, meta: BackofficeMeta): SignedIn {
  if (user === null || session === null) {
    throw new BackofficeError(
      'UNAUTHORIZED',
      'You are not signed in, or your session has ended. Sign in again.',
    );
  }
  if (user.passwordChange && !meta.beforePasswordChange) {
    throw new BackofficeError('PASSWORD_CHANGE', 'Choose a password of your own before anything else.');
  }
  return { user, session };
}

async function memberOf(
  { deps }: BackofficeContext,
  caller: SignedIn,
  who: Who,
  named: unknown,
): Promise<AtMerchant> {
  if (typeof named !== 'string' || !named.startsWith('mer_')) throw notFound();
  const merchantId = named as Id<'mer'>;
  const role = await roleAt(deps, caller, merchantId);
  if (role === null) throw notFound();
  if (who === 'owner' && role !== 'owner') throw forbidden('This is for owners. You may look, not change.');
  return { ...caller, merchantId, role };
}

async function roleAt(
  deps: BackofficeContext['deps'],
  { user }: SignedIn,
  merchantId: Id<'mer'>,
): Promise<Role | null> {
  if (!user.operator) return await findRole(deps.db.read, user.id, merchantId);
  return (await findMerchantName(deps.db.read, merchantId)) === null ? null : 'owner';
}

function forbidden(sentence: string): BackofficeError {
  return new BackofficeError('FORBIDDEN', sentence);
}
