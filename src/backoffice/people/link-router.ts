import { z } from 'zod';
import { anyone, createRouter } from '../rpc.ts';
import { acceptLink } from './accept-link.ts';
import { password, token } from './fields.ts';
import { showLink } from './show-link.ts';

/** One-time links. Both are mutations, so that the token travels in a body and stands in nobody's log. */
export const linkRouter = createRouter({
  show: anyone.input(z.strictObject({ token })).mutation(({ ctx, input }) => showLink(ctx, input.token)),
  accept: anyone
    .input(z.strictObject({ token, password: password.optional() }))
    .mutation(({ ctx, input }) => acceptLink(ctx, input)),
});
