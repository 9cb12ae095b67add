import { z } from 'zod';
import type { Id } from '../../kernel/ids.ts';
import { createRouter, freshOperator, operator } from '../rpc.ts';
import { email, page } from './fields.ts';
import { listUsers } from './list-users.ts';
import { resetUser } from './reset-user.ts';
import { setUserActive } from './set-user-active.ts';

const userId = z.string().transform((id) => id as Id<'usr'>);

/** Everybody, for the platform's own people. */
export const usersRouter = createRouter({
  list: operator
    .input(z.strictObject({ email: email.default(''), ...page }))
    .query(({ ctx, input }) => listUsers(ctx.deps, input)),
  resetLink: freshOperator
    .input(z.strictObject({ userId, totp: z.boolean() }))
    .mutation(({ ctx, input }) => resetUser(ctx.deps, { userId: input.userId }, { totp: input.totp })),
  setActive: freshOperator
    .input(z.strictObject({ userId, active: z.boolean() }))
    .mutation(({ ctx, input }) => setUserActive(ctx, input)),
});
