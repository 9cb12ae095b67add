import type { inferRouterOutputs } from '@trpc/server';
import type { BackofficeRouter } from '../../../router.ts';

type Outputs = inferRouterOutputs<BackofficeRouter>['webhook'];

export type Webhook = Outputs['show'];
export type DeliveryLine = Outputs['deliveries']['rows'][number];
export type Delivery = Outputs['delivery'];
export type Attempt = Delivery['attempts'][number];
export type Recovery = Outputs['recoveries'][number];
