import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';
import { LEADS_LIMIT_MAX, type LeadView, listLeads } from './list.ts';

/** The tracking parameters, a column each. */
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

/**
 * All leads of a merchant as CSV (RFC 4180: comma, CRLF, header line; UTF-8 without a byte order mark), one page of
 * lines at a time. The items are JSON in one cell, tracking parameters a column each.
 */
export async function* leadsCsv(
  deps: Pick<Deps, 'db'>,
  merchantId: Id<'mer'>,
): AsyncGenerator<string, void, undefined> {
  yield line([...COLUMNS, ...TRACKING]);
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
  const own = COLUMNS.map((column) => lead[column]);
  return line([...own, ...TRACKING.map((name) => tracking[name])]);
}

function line(values: readonly unknown[]): string {
  return `${values.map((value) => csvCell(value)).join(',')}\r\n`;
}

// What a spreadsheet would take for a formula, also behind spaces: shoppers write these cells, merchants open them.
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;
/** The same inside the text: a spreadsheet of another country parts cells by another sign than the file does. */
const FORMULA_WITHIN = /(?<=[;,\t\r\n][\s\p{Cc}\p{Cf}"]*)[=+\-@＝＋－＠]/gu;
const NEEDS_QUOTES = /[",;\t\r\n]/;

/**
 * One cell, whatever sign parts the cells of its line: quoted where any could need it, and with an apostrophe in front
 * of what a spreadsheet would run as a formula. A number is our own and stays as it is.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const within = text.replace(FORMULA_WITHIN, "'$&");
  const safe = FORMULA.test(text) ? `'${within}` : within;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
