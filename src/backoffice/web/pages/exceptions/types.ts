import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { BackofficeRouter } from '../../../router.ts';

type Outputs = inferRouterOutputs<BackofficeRouter>['exceptions'];
type Inputs = inferRouterInputs<BackofficeRouter>['exceptions'];

export type CaseLine = Outputs['list']['rows'][number];
export type CaseView = Outputs['show'];
export type CaseDossier = Outputs['showAcross'];
export type Case = CaseView | CaseDossier;
export type Candidate = CaseDossier['candidates'][number];
export type Flag = NonNullable<Inputs['list']['flag']>;

export const FLAGS = ['unmatched', 'duplicate', 'under', 'over', 'late'] as const satisfies readonly Flag[];

export interface Filters {
  readonly state: 'open' | 'settled';
  readonly flag: Flag | null;
  /** Operator only. */
  readonly merchant: { readonly merchantId: string; readonly name: string } | null;
  readonly olderThanDays: number | null;
}
