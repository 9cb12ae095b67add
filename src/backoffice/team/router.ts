import { z } from 'zod';
import { ROLES } from '../../db/tables/backoffice.ts';
import { setMerchant } from '../../merchants/set-merchant.ts';
import { createRouter, freshOwner, idOf, owner } from '../rpc.ts';
import { inviteMember } from './invite.ts';
import { listTeam, removeMember, setMemberRole } from './members.ts';

const userId = idOf('usr');
const email = z.string().max(300);
const role = z.enum(ROLES);

export const teamRouter = createRouter({
  list: owner.query(({ ctx }) => listTeam(ctx.deps, ctx.merchantId)),
  invite: freshOwner
    .input(z.strictObject({ email, role }))
    .mutation(({ ctx, input }) => inviteMember(ctx.deps, ctx.merchantId, input)),
  setRole: freshOwner
    .input(z.strictObject({ userId, role }))
    .mutation(({ ctx, input }) => setMemberRole(ctx.deps, ctx.merchantId, input)),
  /** Requires two-factor authentication of every member, or no longer does. */
  setFactor: freshOwner.input(z.strictObject({ required: z.boolean() })).mutation(async ({ ctx, input }) => {
    await setMerchant(ctx.deps, ctx.merchantId, { teamFactor: input.required });
  }),
  remove: freshOwner
    .input(z.strictObject({ userId, invitation: z.boolean().optional() }))
    .mutation(({ ctx, input }) => removeMember(ctx.deps, ctx.merchantId, input.userId, input.invitation)),
});
