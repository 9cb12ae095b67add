import type { inferRouterOutputs } from '@trpc/server';
import type { BackofficeRouter } from '../../../router.ts';

type Outputs = inferRouterOutputs<BackofficeRouter>['domains'];

export type Domain = Outputs['list']['domains'][number];
export type Explanation = Outputs['explain'];
