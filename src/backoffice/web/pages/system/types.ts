import type { inferRouterOutputs } from '@trpc/server';
import type { BackofficeRouter } from '../../../router.ts';

export type SystemState = inferRouterOutputs<BackofficeRouter>['system']['show'];
export type Level = SystemState['level'];
