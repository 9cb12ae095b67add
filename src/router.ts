import { paymentsRouter } from './payments/router.ts';
import { createRouter } from './rpc/trpc.ts';

/** The merchant API's table of contents: one router behind both doors, REST and tRPC. */
export const appRouter = createRouter({
  payments: paymentsRouter,
});

export type AppRouter = typeof appRouter;
