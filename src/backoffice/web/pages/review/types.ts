import type { inferRouterOutputs } from '@trpc/server';
import type { BackofficeRouter } from '../../../router.ts';

type Outputs = inferRouterOutputs<BackofficeRouter>['review'];

export type HeldSale = Outputs['list']['rows'][number];
export type Totals = Outputs['totals'];
