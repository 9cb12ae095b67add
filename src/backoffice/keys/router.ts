import { z } from 'zod';
import { rollKey } from '../../merchants/roll-key.ts';
import { createRouter, freshOwner, viewer } from '../rpc.ts';
import { listKeys } from './list-keys.ts';
import { revealKey } from './reveal-key.ts';

/** A week: longer than any shop needs to put in a new key. */
const GRACE_HOURS_MAX = 168;

/** The API keys of a merchant. */
export const keysRouter = createRouter({
  list: viewer.query(({ ctx }) => listKeys(ctx.deps, ctx.merchantId)),

  reveal: freshOwner
    .input(z.strictObject({ keyId: z.string().max(100) }))
    .mutation(({ ctx, input }) => revealKey(ctx.deps, ctx.merchantId, input.keyId)),

  roll: freshOwner
    .input(z.strictObject({ graceHours: z.number().min(0).max(GRACE_HOURS_MAX) }))
    .mutation(({ ctx, input }) => rollKey(ctx.deps, ctx.merchantId, input)),
});
