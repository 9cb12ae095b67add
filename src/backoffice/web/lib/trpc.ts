import { createTRPCContext } from '@trpc/tanstack-react-query';
import type { BackofficeRouter } from '../../router.ts';

/** Returns typed query and mutation options for every procedure of the server. */
export const { TRPCProvider, useTRPC } = createTRPCContext<BackofficeRouter>();
