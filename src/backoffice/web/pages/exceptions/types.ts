import { type Addressed, merchantIn, merchantOf, oneOf } from '../../lib/address.ts';
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

export interface Filters {
  readonly state: 'open' | 'settled';
  readonly flag: Flag | null;
  /** Operator only. */
  readonly merchant: { readonly merchantId: string; readonly name: string } | null;
  readonly olderThanDays: number | null;
}

export const AGE_DAYS = { any: null, day: 1, week: 7, month: 30 } as const;

/** The filters in the address. */
export const FILTERS: Addressed<Filters> = {
  read: (params) => ({
    state: oneOf(['settled'], params.get('state')) ?? 'open',
    flag: oneOf(FLAGS, params.get('kind')),
    merchant: merchantOf(params),
    olderThanDays: AGE_DAYS[oneOf(['day', 'week', 'month'], params.get('older')) ?? 'any'],
  }),
  write: ({ state, flag, merchant, olderThanDays }) => ({
    state: state === 'open' ? null : state,
    kind: flag,
    older: oneOf(['day', 'week', 'month'], ageOf(olderThanDays)),
    ...merchantIn(merchant),
  }),
};

/** Returns the name of an age. */
export function ageOf(days: Filters['olderThanDays']): keyof typeof AGE_DAYS {
  const ages = ['day', 'week', 'month'] as const;
  return ages.find((age) => AGE_DAYS[age] === days) ?? 'any';
}
