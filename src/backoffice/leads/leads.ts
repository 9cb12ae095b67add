import { COUNTED_MAX } from '../../db/count-rows.ts';
import type { Deps } from '../../deps.ts';
import { viewErasure } from '../../erasure/erase-lead.ts';
import { findErasure } from '../../erasure/store.ts';
import { csvEuros, csvPhone, csvTime } from '../../kernel/csv.ts';
import type { Id } from '../../kernel/ids.ts';
import { storedJson } from '../../kernel/json.ts';
import type { Language } from '../../kernel/language.ts';
import { type FoundLead, type LeadSearch, searchLeads } from '../../leads/search.ts';
import { campaignsOfMerchant, campaignsOfNewest, ordersOfLead } from '../../leads/search-store.ts';
import { type LeadRow, selectLeadsById } from '../../leads/store.ts';
import { selectMerchant } from '../../merchants/store.ts';
import { notFound } from '../errors.ts';
import { type CsvColumn, csvPages } from '../export-route.ts';
import type { PageInput } from '../rpc.ts';

const CAMPAIGNS_MAX = 100;
const NEWEST_LEADS = 2000;
const ORDERS_SHOWN_MAX = 20;
const EXPORT_PAGE_ROWS = 500;
/** Leads that an export holds in memory with their items, which can be a quarter of a megabyte each. */
const EXPORTED_TOGETHER_MAX = 20;
/** The tracking parameters; each is a column of the download. */
const TRACKING = [
  ...['utm_source', 'utm_medium', 'utm_campaign'],
  ...['fbclid', 'gclid', 'ttclid', 'src', 'sck'],
];

/** A page of leads. Amounts in cents, instants in UTC milliseconds. */
export async function listLeads(deps: Pick<Deps, 'db'>, search: LeadSearch, page: PageInput) {
  const { rows, nextCursor } = await searchLeads(deps, search, page);
  return { rows: rows.map(leadView), nextCursor };
}

/** The number of leads that match a search. With `more` there are others, which were not counted. */
export async function countLeads(deps: Pick<Deps, 'db'>, search: LeadSearch) {
  const { rows, nextCursor } = await searchLeads(deps, search, { limit: COUNTED_MAX });
  return { count: rows.length, more: nextCursor !== null };
}

function leadView(row: FoundLead) {
  return {
    leadId: row.id,
    merchantName: row.merchant_name,
    name: row.name,
    email: row.email,
    phone: row.phone,
    campaign: row.campaign,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    orders: row.orders_count,
    askedCents: row.asked_cents,
    paidOrders: row.paid_count,
    paidCents: row.paid_cents,
    /** The progress of the erasure; null when none was requested. */
    erasure: row.erasure,
  };
}

/** One lead with the data of its newest order, and its newest orders. Throws NOT_FOUND. */
export async function showLead(deps: Pick<Deps, 'db'>, leadId: Id<'led'>) {
  const row = (await selectLeadsById(deps.db.read, [leadId])).get(leadId);
  if (row === undefined) throw notFound();
  const erasure = await findErasure(deps.db.read, leadId);
  const progress = erasure === undefined ? null : await viewErasure(deps, leadId);
  const merchant = await selectMerchant(deps.db.read, row.merchant_id);
  const orders = await ordersOfLead(deps.db.read, leadId, ORDERS_SHOWN_MAX);
  return {
    ...leadView({ ...row, merchant_name: merchant?.name ?? '', erasure: progress?.state ?? null }),
    items: storedJson<Item[]>(row.items) ?? [],
    tracking: storedJson<Record<string, string>>(row.tracking) ?? {},
    newestOrders: orders.map((order) => ({ ...order, held: order.held === 1 })),
    progress,
  };
}

interface Item {
  name: string;
  quantity: number;
  priceInCents: number;
}

/** The items of an order as `2 × Mug (12.50), 1 × Plate (8.00)`. */
function itemsText(items: string | null, language: Language): string {
  return (storedJson<Item[]>(items) ?? [])
    .map(({ name, quantity, priceInCents }) => `${quantity} × ${name} (${csvEuros(priceInCents, language)})`)
    .join(', ');
}

/** The campaigns of a merchant, or of the newest leads of all merchants. */
export async function listCampaigns(deps: Pick<Deps, 'db'>, merchantId: Id<'mer'> | undefined) {
  if (merchantId !== undefined) return await campaignsOfMerchant(deps.db.read, merchantId, CAMPAIGNS_MAX);
  return (await campaignsOfNewest(deps.db.read, NEWEST_LEADS)).slice(0, CAMPAIGNS_MAX);
}

type ExportedLead = Omit<LeadRow, 'tracking'> & {
  merchant_name: string;
  tracking: Readonly<Record<string, unknown>>;
};

const COLUMNS: readonly CsvColumn<ExportedLead>[] = [
  { en: 'Merchant', pt: 'Comerciante', cell: (lead) => lead.merchant_id },
  { en: 'Merchant name', pt: 'Nome do comerciante', cell: (lead) => lead.merchant_name },
  { en: 'Lead', pt: 'Contacto', cell: (lead) => lead.id },
  { en: 'Name', pt: 'Nome', cell: (lead) => lead.name },
  { en: 'Email', pt: 'E-mail', cell: (lead) => lead.email },
  { en: 'Phone', pt: 'Telefone', cell: (lead) => csvPhone(lead.phone) },
  { en: 'First seen (Lisbon)', pt: 'Primeira vez (Lisboa)', cell: (lead) => csvTime(lead.first_seen_at) },
  { en: 'Last seen (Lisbon)', pt: 'Última vez (Lisboa)', cell: (lead) => csvTime(lead.last_seen_at) },
  { en: 'Orders', pt: 'Encomendas', cell: (lead) => lead.orders_count },
  {
    en: 'Requested (EUR)',
    pt: 'Pedido (EUR)',
    cell: (lead, language) => csvEuros(lead.asked_cents, language),
  },
  { en: 'Orders paid', pt: 'Encomendas pagas', cell: (lead) => lead.paid_count },
  { en: 'Paid (EUR)', pt: 'Pago (EUR)', cell: (lead, language) => csvEuros(lead.paid_cents, language) },
  { en: 'Items', pt: 'Artigos', cell: (lead, language) => itemsText(lead.items, language) },
  ...TRACKING.map((name) => ({ en: name, pt: name, cell: (lead: ExportedLead) => lead.tracking[name] })),
];

/** Leads that were found and are not exported yet, and where the search continues; null at its end. */
interface ExportCursor {
  readonly found: readonly FoundLead[];
  readonly next: string | null;
}

/** The leads of a search as CSV. The items share one cell; each tracking parameter has a column. */
export function foundLeadsCsv(deps: Pick<Deps, 'db'>, search: LeadSearch, language: Language) {
  return csvPages(COLUMNS, language, async (cursor: ExportCursor | null) => {
    let { found, next } = cursor ?? { found: [], next: null };
    if (found.length === 0) {
      const page = await searchLeads(deps, search, { limit: EXPORT_PAGE_ROWS, cursor: next });
      ({ rows: found, nextCursor: next } = page);
    }
    const rest = found.slice(EXPORTED_TOGETHER_MAX);
    const rows = await exportedLeads(deps, found.slice(0, EXPORTED_TOGETHER_MAX));
    return { rows, nextCursor: rest.length === 0 && next === null ? null : { found: rest, next } };
  });
}

async function exportedLeads(deps: Pick<Deps, 'db'>, found: readonly FoundLead[]): Promise<ExportedLead[]> {
  const ids = found.map((row) => row.id);
  const leads = await selectLeadsById(deps.db.read, ids);
  return found.flatMap((row) => {
    const lead = leads.get(row.id);
    if (lead === undefined) return [];
    const tracking = storedJson<Record<string, unknown>>(lead.tracking) ?? {};
    return { ...lead, merchant_name: row.merchant_name, tracking };
  });
}
