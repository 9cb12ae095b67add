import { z } from 'zod';
import { createRouter, idOf, operator } from '../rpc.ts';
import { dismissBankNotices, listBankNotices } from './bank-notices.ts';
import { showSystem } from './show.ts';

export const systemRouter = createRouter({
  show: operator.query(({ ctx }) => showSystem(ctx.deps)),
  bankNotices: operator.query(({ ctx }) => listBankNotices(ctx)),
  dismissBankNotices: operator
    .input(z.strictObject({ through: idOf('aud') }))
    .mutation(({ ctx, input }) => dismissBankNotices(ctx, input.through)),
});
