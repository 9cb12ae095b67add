import { AUDIT_WORDS } from '../../../../kernel/audit-words.ts';
import { lisbonDayStart } from '../../../../kernel/lisbon.ts';
import { type Addressed, dayOf, idIn, merchantIn, merchantOf, oneOf } from '../../lib/address.ts';
import type { RouterOutputs } from '../../lib/trpc.ts';

export type AuditLine = RouterOutputs['audit']['list']['rows'][number];
export type Action = AuditLine['action'];

export interface Filters {
  readonly action: Action | null;
  readonly merchant: { readonly merchantId: string; readonly name: string } | null;
  readonly person: { readonly userId: string; readonly email: string } | null;
  /** `YYYY-MM-DD` in Lisbon; empty for no limit. */
  readonly since: string;
}

export const ACTIONS = Object.keys(AUDIT_WORDS.actions) as Action[];
/** Actions that a merchant's own log never contains: those on accounts, and those that only operators may see. */
const PLATFORM_ACTIONS = /^user\.(?!created)|^session\.|^(transaction\.released|bank\.(changed|routed))$/;
export const OWN_ACTIONS = ACTIONS.filter((action) => !PLATFORM_ACTIONS.test(action));

/** The filters in the address. */
export const FILTERS: Addressed<Filters> = {
  read: (params) => {
    const userId = idIn(params, 'user');
    return {
      action: oneOf(ACTIONS, params.get('action')),
      merchant: merchantOf(params),
      person: userId !== null ? { userId, email: params.get('email') ?? userId } : null,
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

/** Returns the filters as the server expects them; unset ones are omitted. */
export function askedOf({ action, merchant, person, since }: Filters) {
  const from = since === '' ? null : lisbonDayStart(since);
  return {
    ...(action !== null && { action }),
    ...(from !== null && { since: from }),
    ...(merchant !== null && { ofMerchant: merchant.merchantId }),
    ...(person !== null && { userId: person.userId }),
  };
}
