import type { inferRouterOutputs } from '@trpc/server';
import type { BackofficeRouter } from '../../../router.ts';

type Outputs = inferRouterOutputs<BackofficeRouter>['merchants'];

export type Merchant = Outputs['list']['rows'][number];
export type ShownMerchant = Outputs['show'];
export type HandOver = Outputs['create'];
