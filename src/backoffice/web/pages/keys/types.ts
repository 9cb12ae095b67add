import type { inferRouterOutputs } from '@trpc/server';
import type { BackofficeRouter } from '../../../router.ts';

export type Key = inferRouterOutputs<BackofficeRouter>['keys']['list']['keys'][number];
