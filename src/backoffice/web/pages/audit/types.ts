import type { inferRouterOutputs } from '@trpc/server';
import { AUDIT_WORDS } from '../../../../kernel/audit-words.ts';
import { lisbonDayStart } from '../../../../kernel/lisbon.ts';
import type { BackofficeRouter } from '../../../router.ts';
import { type Addressed, dayOf, merchantIn, merchantOf, oneOf } from '../../lib/address.ts';

export type AuditLine = inferRouterOutputs<BackofficeRouter>['audit']['list']['rows'][number];
export type Action = AuditLine['action'];

export interface Filters {
  readonly action: Action | null;
  readonly merchant: { readonly merchantId: string; readonly name: string } | null;
  readonly person: { readonly userId: string; readonly email: string } | null;
  /** `YYYY-MM-DD` in Lisbon; empty for no limit. */
  readonly since: string;
}

const ACTIONS = Object.keys(AUDIT_WORDS.en.actions) as Action[];

/** The filters in the address. */
export const FILTERS: Addressed<Filters> = {
  read: (params) => {
    const userId = params.get('user');
    return {
      action: oneOf(ACTIONS, params.get('action')),
      merchant: merchantOf(params),
      person: userId ? { userId, email: params.get('email') ?? userId } : null,
      since: dayOf(params, 'since'),
    };
  },
  write: ({ action, merchant, person, since }) => ({
    action,
    user: person?.userId ?? null,
    email: person?.email ?? null,
    since,
    ...merchantIn(merchant),
  }),
};

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
