import type { RouterOutputs } from '../../lib/trpc.ts';

type Outputs = RouterOutputs['domains'];

export type Domain = Outputs['list']['domains'][number];
export type Explanation = Outputs['explain'];
