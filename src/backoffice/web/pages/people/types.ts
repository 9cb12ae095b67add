import type { inferRouterOutputs } from '@trpc/server';
import type { BackofficeRouter } from '../../../router.ts';

export type Person = inferRouterOutputs<BackofficeRouter>['users']['list']['rows'][number];
