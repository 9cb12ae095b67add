import { addressOf, choice, MERCHANT, type StateOf, setting } from '../../lib/address.ts';
import type { RouterInputs, RouterOutputs } from '../../lib/trpc.ts';

type Outputs = RouterOutputs['exceptions'];
type Inputs = RouterInputs['exceptions'];

export type CaseLine = Outputs['list']['rows'][number];
export type Kind = Outputs['kinds'][number];
export type Case = Outputs['show'];
export type CaseDossier = Extract<Case, { readonly candidates: unknown }>;
export type Candidate = CaseDossier['candidates'][number];
export type Flag = NonNullable<Inputs['list']['flag']>;

export const FLAGS = ['unmatched', 'duplicate', 'under', 'over', 'late'] as const satisfies readonly Flag[];

/** The filters in the address. Only the operator chooses a merchant. */
export const FILTERS = addressOf({
  state: setting('state', ['open', 'settled']),
  flag: choice('kind', FLAGS),
  merchant: MERCHANT,
});
export type Filters = StateOf<typeof FILTERS>;
