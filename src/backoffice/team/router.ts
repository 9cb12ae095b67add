import { z } from 'zod';
import type { Id } from '../../kernel/ids.ts';
import { email } from '../people/fields.ts';
import { createRouter, freshOwner, owner } from '../rpc.ts';
import { inviteMember } from './invite.ts';
import { listTeam } from './list.ts';
import { removeMember } from './remove.ts';
import { setMemberRole } from './set-role.ts';

const userId = z.string().transform((id) => id as Id<'usr'>);
const role = z.enum(['owner', 'viewer']);

/** Who may see and change a merchant. */
export const teamRouter = createRouter({
  list: owner.query(({ ctx }) => listTeam(ctx.deps, ctx.merchantId)),
  invite: freshOwner
    .input(z.strictObject({ email, role }))
    .mutation(({ ctx, input }) => inviteMember(ctx.deps, ctx.merchantId, input)),
  setRole: freshOwner
    .input(z.strictObject({ userId, role }))
    .mutation(({ ctx, input }) => setMemberRole(ctx.deps, ctx.merchantId, input)),
  remove: freshOwner
    .input(z.strictObject({ userId }))
    .mutation(({ ctx, input }) => removeMember(ctx.deps, ctx.merchantId, input.userId)),
});
