import type { Deps } from '../deps.ts';
import { csvLine, csvPhone } from '../kernel/csv.ts';
import type { Id } from '../kernel/ids.ts';
import { LEADS_LIMIT_MAX, type LeadView, listLeads } from './list.ts';

/** The tracking parameters; each is a column. */
export const TRACKING = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'fbclid',
  'gclid',
  'ttclid',
  'src',
  'sck',
] as const;

const COLUMNS = [
  'leadId',
  'name',
  'email',
  'phone',
  'firstSeenAt',
  'lastSeenAt',
  'orders',
  'amountAsked',
  'ordersPaid',
  'amountPaid',
  'items',
] as const satisfies readonly (keyof LeadView)[];

/** Yields all leads of a merchant as CSV (RFC 4180, UTF-8 without byte order mark), page by page. Items are JSON in one cell. */
export async function* leadsCsv(
  deps: Pick<Deps, 'db'>,
  merchantId: Id<'mer'>,
): AsyncGenerator<string, void, undefined> {
  yield csvLine([...COLUMNS, ...TRACKING]);
  let after: string | undefined;
  for (;;) {
    const leads = await listLeads(deps, { merchantId, limit: LEADS_LIMIT_MAX, after });
    if (leads.length > 0) yield leads.map((lead) => leadLine(lead)).join('');
    if (leads.length < LEADS_LIMIT_MAX) return;
    after = leads.at(-1)?.leadId;
  }
}

function leadLine(lead: LeadView): string {
  const tracking = lead.trackingParameters ?? {};
  const shown = { ...lead, phone: csvPhone(lead.phone) };
  const own = COLUMNS.map((column) => shown[column]);
  return csvLine([...own, ...TRACKING.map((name) => tracking[name])]);
}
