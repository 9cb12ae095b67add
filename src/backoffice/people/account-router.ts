import { z } from 'zod';
import type { Id } from '../../kernel/ids.ts';
import { changing, createRouter, freshUser, signedIn } from '../rpc.ts';
import { changePassword } from './change-password.ts';
import { code, password } from './fields.ts';
import { listSessions, revokeOtherSessions, revokeSession } from './sessions.ts';
import { beginTotp } from './totp-begin.ts';
import { disableTotp } from './totp-disable.ts';
import { enableTotp } from './totp-enable.ts';

/** One's own account. */
export const accountRouter = createRouter({
  changePassword: changing
    .input(z.strictObject({ current: password, password, code: code.optional() }))
    .mutation(({ ctx, input }) => changePassword(ctx, input)),
  totpBegin: freshUser.mutation(({ ctx }) => beginTotp(ctx)),
  totpEnable: freshUser
    .input(z.strictObject({ code }))
    .mutation(({ ctx, input }) => enableTotp(ctx, input.code)),
  totpDisable: freshUser.mutation(({ ctx }) => disableTotp(ctx)),
  sessions: signedIn.query(({ ctx }) => listSessions(ctx)),
  revokeSession: signedIn
    .input(z.strictObject({ id: z.string() }))
    .mutation(({ ctx, input }) => revokeSession(ctx, input.id as Id<'ses'>)),
  revokeOthers: signedIn.mutation(({ ctx }) => revokeOtherSessions(ctx)),
});
