import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import { createTRPCContext } from '@trpc/tanstack-react-query';
import type { BackofficeRouter } from '../../router.ts';

export type RouterInputs = inferRouterInputs<BackofficeRouter>;
export type RouterOutputs = inferRouterOutputs<BackofficeRouter>;

/** Returns typed query and mutation options for every procedure of the server. */
export const { TRPCProvider, useTRPC } = createTRPCContext<BackofficeRouter>();
