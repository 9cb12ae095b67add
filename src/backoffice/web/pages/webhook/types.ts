import type { RouterOutputs } from '../../lib/trpc.ts';

type Outputs = RouterOutputs['webhook'];

export type Webhook = Outputs['show'];
export type Recovery = Outputs['recoveries'][number];
