import type { inferRouterOutputs } from '@trpc/server';
import type { BackofficeRouter } from '../../../router.ts';

type Outputs = inferRouterOutputs<BackofficeRouter>['webhook'];

export type Webhook = Outputs['show'];
export type Recovery = Outputs['recoveries'][number];
