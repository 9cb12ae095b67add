import { createTRPCContext } from '@trpc/tanstack-react-query';
import type { BackofficeRouter } from '../../router.ts';

/** `useTRPC()` gives the options of every query and mutation of the server, typed by its router. */
export const { TRPCProvider, useTRPC } = createTRPCContext<BackofficeRouter>();
