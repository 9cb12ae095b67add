import { z } from 'zod';
import { LANGUAGES } from '../../kernel/language.ts';
import { emailKey } from '../../kernel/person-keys.ts';
import { selectMerchant } from '../../merchants/store.ts';
import {
  anyone,
  changingPassword,
  createRouter,
  freshOperator,
  freshSettingUp,
  freshUser,
  idOf,
  operator,
  page,
  settingUp,
  signedIn,
  viewer,
} from '../rpc.ts';
import { acceptLink, showLink } from './links.ts';
import { assertionResponse, beginAssertion } from './passkey-assertion.ts';
import { addPasskey, beginPasskey, ownPasskeys, registrationResponse, removePasskey } from './passkeys.ts';
import { changePassword, reauthenticate, reauthenticateWithPasskey } from './reauthenticate.ts';
import { countRecoveryCodes, renewRecoveryCodes } from './recovery.ts';
import { resetUser } from './reset-user.ts';
import { beginTotp, disableTotp, enableTotp } from './second-factor.ts';
import { currentSession, listSessions, revokeOtherSessions, revokeSession, signOut } from './session.ts';
import { beginPasskeySignIn, signIn, signInWithPasskey } from './sign-in.ts';
import { countUsersLike, updateUser } from './user-store.ts';
import { listUsers, setUserActive } from './users.ts';

/** Above the limits of the rules, so that a password that is too long gets their error message. */
const password = z.string().max(1000);
/** A code of the authenticator, or a recovery code. */
const code = z.string().max(40);
const email = z.string().max(300);
const token = z.string().max(100);
const userId = idOf('usr');
const passkeyName = z.string().trim().min(1).max(60);
const userFilter = z.strictObject({ email: email.default('') });

export const sessionRouter = createRouter({
  current: anyone.query(({ ctx }) => currentSession(ctx)),
  signIn: anyone
    .input(z.strictObject({ email, password, code: code.optional() }))
    .mutation(({ ctx, input }) => signIn(ctx, input)),
  passkeyBegin: anyone.mutation(({ ctx }) => beginPasskeySignIn(ctx)),
  passkeySignIn: anyone
    .input(z.strictObject({ response: assertionResponse, email: email.optional() }))
    .mutation(({ ctx, input }) => signInWithPasskey(ctx, input)),
  signOut: changingPassword.mutation(({ ctx }) => signOut(ctx)),
  reauthenticate: settingUp
    .input(z.strictObject({ password, code: code.optional() }))
    .mutation(({ ctx, input }) => reauthenticate(ctx, input)),
  confirmBegin: settingUp.mutation(({ ctx }) => beginAssertion(ctx, 'confirm', ctx.user.id)),
  confirm: settingUp
    .input(z.strictObject({ response: assertionResponse }))
    .mutation(({ ctx, input }) => reauthenticateWithPasskey(ctx, input.response)),
  merchant: viewer.query(async ({ ctx }) => {
    const row = await selectMerchant(ctx.deps.db.read, ctx.merchantId);
    return {
      merchantId: ctx.merchantId,
      name: row?.name ?? '',
      active: row?.active === 1,
      role: ctx.role,
      operator: ctx.user.operator,
    };
  }),
});

export const accountRouter = createRouter({
  changePassword: changingPassword
    .input(z.strictObject({ current: password, password, code: code.optional() }))
    .mutation(({ ctx, input }) => changePassword(ctx, input)),
  /** Mails to the caller use this language. */
  setLanguage: signedIn
    .input(z.strictObject({ language: z.enum(LANGUAGES) }))
    .mutation(({ ctx, input }) =>
      ctx.deps.db.unit((tx) => updateUser(tx, ctx.user.id, { language: input.language })),
    ),
  totpBegin: freshSettingUp.mutation(({ ctx }) => beginTotp(ctx)),
  totpEnable: freshSettingUp
    .input(z.strictObject({ code }))
    .mutation(({ ctx, input }) => enableTotp(ctx, input.code)),
  totpDisable: freshUser.mutation(({ ctx }) => disableTotp(ctx)),
  recoveryCodes: signedIn.query(({ ctx }) => countRecoveryCodes(ctx)),
  recoveryRenew: freshUser.mutation(({ ctx }) => renewRecoveryCodes(ctx)),
  passkeys: signedIn.query(({ ctx }) => ownPasskeys(ctx)),
  passkeyBegin: freshSettingUp.mutation(({ ctx }) => beginPasskey(ctx)),
  passkeyAdd: freshSettingUp
    .input(z.strictObject({ name: passkeyName, response: registrationResponse }))
    .mutation(({ ctx, input }) => addPasskey(ctx, input)),
  passkeyRemove: freshUser
    .input(z.strictObject({ id: idOf('pky') }))
    .mutation(({ ctx, input }) => removePasskey(ctx, input.id)),
  sessions: signedIn.query(({ ctx }) => listSessions(ctx)),
  revokeSession: signedIn
    .input(z.strictObject({ id: idOf('ses') }))
    .mutation(({ ctx, input }) => revokeSession(ctx, input.id)),
  revokeOthers: signedIn.mutation(({ ctx }) => revokeOtherSessions(ctx)),
});

/** One-time links. Both are mutations, so that the token is in the body and not in a logged URL. */
export const linkRouter = createRouter({
  show: anyone.input(z.strictObject({ token })).mutation(({ ctx, input }) => showLink(ctx, input.token)),
  accept: anyone
    .input(z.strictObject({ token, password: password.optional() }))
    .mutation(({ ctx, input }) => acceptLink(ctx, input)),
});

export const usersRouter = createRouter({
  list: operator.input(userFilter.extend(page)).query(({ ctx, input }) => listUsers(ctx.deps, input)),
  count: operator
    .input(userFilter)
    .query(({ ctx, input }) => countUsersLike(ctx.deps.db.read, emailKey(input.email))),
  resetLink: freshOperator
    .input(z.strictObject({ userId, totp: z.boolean() }))
    .mutation(({ ctx, input }) => resetUser(ctx.deps, { userId: input.userId }, { totp: input.totp })),
  setActive: freshOperator
    .input(z.strictObject({ userId, active: z.boolean() }))
    .mutation(({ ctx, input }) => setUserActive(ctx, input)),
});
