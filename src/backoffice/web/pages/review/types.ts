import type { RouterOutputs } from '../../lib/trpc.ts';

type Outputs = RouterOutputs['review'];

export type HeldSale = Outputs['list']['rows'][number];
export type Totals = Outputs['totals'];
