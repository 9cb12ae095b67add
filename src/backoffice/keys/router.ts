import { z } from 'zod';
import { rollKey } from '../../merchants/roll-key.ts';
import { createRouter, freshOwner, idOf, viewer } from '../rpc.ts';
import { listKeys, revealKey } from './keys.ts';

const GRACE_HOURS_MAX = 7 * 24;

export const keysRouter = createRouter({
  list: viewer.query(({ ctx }) => listKeys(ctx)),
  reveal: freshOwner
    .input(z.strictObject({ keyId: idOf('key') }))
    .mutation(({ ctx, input }) => revealKey(ctx, input.keyId)),
  roll: freshOwner
    .input(z.strictObject({ graceHours: z.number().min(0).max(GRACE_HOURS_MAX) }))
    .mutation(({ ctx, input }) => rollKey(ctx.deps, ctx.merchantId, input)),
});
