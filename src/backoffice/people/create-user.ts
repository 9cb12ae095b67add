import { recordAudit } from '../../audit/store.ts';
import type { Role, UserTable } from '../../db/tables/backoffice.ts';
import type { Deps } from '../../deps.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { lockMerchant } from '../../merchants/store.ts';
import { newEmail } from './email.ts';
import { makeLink } from './links.ts';
import { insertMember } from './member-store.ts';
import { hashPassword } from './password.ts';
import { checkPassword } from './password-rules.ts';
import { readableText } from './readable-text.ts';
import { insertUser } from './user-store.ts';

/** About 99 bits. */
const PASSWORD_GROUPS = 4;

export interface NewUser {
  email: string;
  role: 'operator' | Role;
  /** The merchant of an owner or viewer; null for an operator. */
  merchantId: Id<'mer'> | null;
  /** Without one, a password is generated that must be changed at the first sign-in. */
  password?: string | undefined;
}

/** Creates a user with a password. Throws OperatorError on an invalid value or when the e-mail is taken. */
export async function createUser(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'random' | 'actor' | 'passwordCost' | 'settings' | 'queueMail'>,
  input: NewUser,
): Promise<{ userId: Id<'usr'>; password: string }> {
  const email = newEmail(input.email);
  const { role, merchantId } = input;
  if ((role === 'operator') !== (merchantId === null)) {
    throw new OperatorError(
      role === 'operator'
        ? 'an operator belongs to no merchant: leave --merchant out'
        : `an ${role === 'owner' ? role : 'owner or viewer'} belongs to a merchant: name it with --merchant`,
    );
  }
  if (input.password !== undefined) checkPassword(input.password, email);
  const password = input.password ?? readableText(deps.random, PASSWORD_GROUPS);
  const user = newUser(deps, email, {
    password_hash: await hashPassword(deps, password),
    password_change: input.password === undefined ? 1 : 0,
    operator: role === 'operator' ? 1 : 0,
    unverified: 0,
  });
  await deps.db.unit(async (tx) => {
    if (!(await insertUser(tx, user))) {
      throw new OperatorError(
        `the user ${email} exists; run "user reset --email ${email}" for a new password, or invite them to a merchant’s team`,
      );
    }
    await recordAudit(tx, deps, {
      action: 'user.created',
      merchantId,
      target: user.id,
      details: { email, role },
    });
    if (deps.settings.mail && input.password === undefined) {
      await makeLink(tx, deps, { user_id: user.id, kind: 'reset' }, 'invitation');
    }
    if (merchantId === null || role === 'operator') return;
    await lockMerchant(tx, merchantId);
    await insertMember(tx, { user_id: user.id, merchant_id: merchantId, role, created_at: user.created_at });
  });
  return { userId: user.id, password };
}

export function newUser(
  deps: Pick<Deps, 'clock' | 'ids'>,
  email: string,
  set: Pick<UserTable, 'password_hash' | 'password_change' | 'operator' | 'unverified'>,
): UserTable {
  return {
    id: deps.ids('usr'),
    email,
    totp_secret: null,
    totp_pending: null,
    totp_step: null,
    active: 1,
    created_at: deps.clock.now(),
    signed_in_at: null,
    bank_seen: null,
    language: null,
    ...set,
  };
}
