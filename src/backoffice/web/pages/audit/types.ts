import { AUDIT_WORDS } from '../../../../kernel/audit-words.ts';
import { lisbonDayStart } from '../../../../kernel/lisbon.ts';
import { addressOf, choice, day, MERCHANT, type StateOf, USER } from '../../lib/address.ts';
import type { RouterOutputs } from '../../lib/trpc.ts';

export type AuditLine = RouterOutputs['audit']['list']['rows'][number];

export const ACTIONS = Object.keys(AUDIT_WORDS.actions) as AuditLine['action'][];
/** Actions that a merchant's own log never contains: those on accounts, and those that only operators may see. */
const PLATFORM_ACTIONS = /^user\.(?!created)|^session\.|^(transaction\.released|bank\.(changed|routed))$/;
export const OWN_ACTIONS = ACTIONS.filter((action) => !PLATFORM_ACTIONS.test(action));

/** The filters in the address. */
export const FILTERS = addressOf({
  action: choice('action', ACTIONS),
  merchant: MERCHANT,
  person: USER,
  since: day('since'),
});
export type Filters = StateOf<typeof FILTERS>;

/** Returns the filters as the server expects them; unset ones are omitted. */
export function askedOf({ action, merchant, person, since }: Filters) {
  return {
    action: action ?? undefined,
    since: lisbonDayStart(since) ?? undefined,
    ofMerchant: merchant?.value,
    userId: person?.value,
  };
}
