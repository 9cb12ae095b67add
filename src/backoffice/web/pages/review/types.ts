import type { inferRouterOutputs } from '@trpc/server';
import type { BackofficeRouter } from '../../../router.ts';

type Outputs = inferRouterOutputs<BackofficeRouter>['review'];

export type HeldSale = Outputs['list']['rows'][number];
export type Totals = Outputs['totals'];
/** What became of a sale in the release that runs or ran. */
export type Outcome = Outputs['release'][number]['outcome'] | 'waiting';
