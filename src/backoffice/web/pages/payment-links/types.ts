import type { RouterOutputs } from '../../lib/trpc.ts';

type Outputs = RouterOutputs['paymentLinks'];

export type PaymentLink = Outputs['list']['rows'][number];
export type ShownLink = Outputs['show'];
