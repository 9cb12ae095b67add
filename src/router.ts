import { checkoutOperations } from './checkout/router.ts';
import { paymentOperations } from './payments/router.ts';
import type { createRouter } from './rpc/trpc.ts';

/** The operations of the merchant API, which REST and tRPC serve. */
export const operations = { payments: paymentOperations, checkout: checkoutOperations };

export type AppRouter = ReturnType<typeof createRouter<typeof operations>>;
