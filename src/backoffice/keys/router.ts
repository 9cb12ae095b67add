import { z } from 'zod';
import { createKey, revokeKey, rollKey } from '../../merchants/keys.ts';
import { createRouter, freshOwner, idOf, viewer } from '../rpc.ts';
import { listKeys, revealKey } from './keys.ts';

const GRACE_HOURS_MAX = 7 * 24;
/** Above the limit of a name, so that a longer one gets the error message of the rule. */
const NAME_CHARACTERS_MAX = 1000;

const ofKey = z.strictObject({ keyId: idOf('key') });

export const keysRouter = createRouter({
  list: viewer.query(({ ctx }) => listKeys(ctx)),
  reveal: freshOwner.input(ofKey).mutation(({ ctx, input }) => revealKey(ctx, input.keyId)),
  create: freshOwner
    .input(z.strictObject({ name: z.string().max(NAME_CHARACTERS_MAX), expiresInDays: z.int().optional() }))
    .mutation(({ ctx: { deps, merchantId }, input: { name, expiresInDays } }) =>
      createKey(deps, merchantId, { name, expiresInDays }),
    ),
  revoke: freshOwner
    .input(ofKey)
    .mutation(({ ctx, input }) => revokeKey(ctx.deps, ctx.merchantId, input.keyId)),
  roll: freshOwner
    .input(z.strictObject({ graceHours: z.number().min(0).max(GRACE_HOURS_MAX) }))
    .mutation(({ ctx, input }) => rollKey(ctx.deps, ctx.merchantId, input)),
});
