import type { inferRouterOutputs } from '@trpc/server';
import { lisbonDayStart } from '../../../../kernel/lisbon.ts';
import type { BackofficeRouter } from '../../../router.ts';

export type AuditLine = inferRouterOutputs<BackofficeRouter>['audit']['list']['rows'][number];
export type Action = AuditLine['action'];

export interface Filters {
  readonly action: Action | null;
  readonly merchant: { readonly merchantId: string; readonly name: string } | null;
  readonly person: { readonly userId: string; readonly email: string } | null;
  /** `YYYY-MM-DD` in Lisbon; empty for no limit. */
  readonly since: string;
}

export const NO_FILTERS: Filters = { action: null, merchant: null, person: null, since: '' };

/** Returns the input of the query; unset filters are omitted. */
export function filterOf({ action, merchant, person, since }: Filters) {
  const from = since === '' ? null : lisbonDayStart(since);
  return {
    ...(action !== null && { action }),
    ...(merchant !== null && { merchantId: merchant.merchantId }),
    ...(person !== null && { userId: person.userId }),
    ...(from !== null && { since: from }),
  };
}
