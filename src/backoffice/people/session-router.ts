import { z } from 'zod';
import { anyone, changing, createRouter, operator, signedIn, viewer } from '../rpc.ts';
import { currentSession } from './current.ts';
import { code, email, page, password } from './fields.ts';
import { findMerchantName } from './member-store.ts';
import { reauthenticate } from './reauthenticate.ts';
import { searchMerchants } from './search-merchants.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';

/** Coming in, going out, and who is there. */
export const sessionRouter = createRouter({
  /** Who is signed in, with the merchants that are theirs; an operator's are not listed but searched. */
  current: anyone.query(({ ctx }) => currentSession(ctx)),
  signIn: anyone
    .input(z.strictObject({ email, password, code: code.optional() }))
    .mutation(({ ctx, input }) => signIn(ctx, input)),
  signOut: changing.mutation(({ ctx }) => signOut(ctx)),
  reauthenticate: signedIn
    .input(z.strictObject({ password, code: code.optional() }))
    .mutation(({ ctx, input }) => reauthenticate(ctx, input)),
  /** One merchant's name and what the caller is there. */
  merchant: viewer.query(async ({ ctx }) => ({
    merchantId: ctx.merchantId,
    name: (await findMerchantName(ctx.deps.db.read, ctx.merchantId)) ?? '',
    role: ctx.role,
    operator: ctx.user.operator,
  })),
  /** Merchants by id or a part of their name, newest first. */
  merchants: operator
    .input(z.strictObject({ text: z.string().max(100).default(''), ...page }))
    .query(({ ctx, input }) => searchMerchants(ctx.deps, input)),
});
