import type { LeadTable } from '../../db/tables/tables.ts';
import type { Deps } from '../../deps.ts';
import { TRACKING } from '../../leads/csv.ts';
import { type FoundLead, type LeadSearch, searchLeads } from '../../leads/search.ts';
import { selectLeadsById } from '../../leads/store.ts';
import {
  CSV_TYPE,
  csvEuros,
  csvHead,
  csvLine,
  csvTime,
  type ExportLanguage,
  exportLanguage,
} from '../csv.ts';
import { exportName } from '../export-name.ts';
import { operatorExport } from '../export-route.ts';
import { leadSearch, leadSearchInput } from './input.ts';

const PAGE = 500;
const COLUMNS = {
  en: [
    ...['Merchant', 'Merchant name', 'Lead', 'Name', 'E-mail', 'Phone'],
    ...['First seen (Lisbon)', 'Last seen (Lisbon)'],
    ...['Orders', 'Asked for (EUR)', 'Orders paid', 'Paid (EUR)', 'Items'],
  ],
  pt: [
    ...['Comerciante', 'Nome do comerciante', 'Contacto', 'Nome', 'E-mail', 'Telefone'],
    ...['Primeira vez (Lisboa)', 'Última vez (Lisboa)'],
    ...['Encomendas', 'Pedido (EUR)', 'Encomendas pagas', 'Pago (EUR)', 'Artigos'],
  ],
} as const;

/**
 * The leads of a search as CSV, one page of lines at a time. The items are JSON in one cell, the tracking parameters a
 * column each under their own names.
 */
export async function* foundLeadsCsv(
  deps: Pick<Deps, 'db'>,
  search: LeadSearch,
  language: ExportLanguage,
): AsyncGenerator<string, void, undefined> {
  yield csvHead([...COLUMNS[language], ...TRACKING], language);
  let cursor: string | undefined;
  do {
    const { rows, nextCursor } = await searchLeads(deps, search, { limit: PAGE, cursor });
    const ids = rows.map((row) => row.id);
    const whole = await selectLeadsById(deps.db.read, ids);
    const lines = rows.flatMap((row) => {
      const lead = whole.get(row.id);
      return lead === undefined ? [] : csvLine(cells(row, lead, language), language);
    });
    if (lines.length > 0) yield lines.join('');
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

function cells(row: FoundLead, lead: LeadTable, language: ExportLanguage): unknown[] {
  const tracking: Record<string, unknown> = lead.tracking === null ? {} : JSON.parse(lead.tracking);
  return [
    ...[row.merchant_id, row.merchant_name, lead.id, lead.name, lead.email, lead.phone],
    ...[csvTime(Number(lead.first_seen_at)), csvTime(Number(lead.last_seen_at))],
    ...[lead.orders_count, csvEuros(Number(lead.asked_cents), language)],
    ...[lead.paid_count, csvEuros(Number(lead.paid_cents), language), lead.items],
    ...TRACKING.map((name) => tracking[name]),
  ];
}

/** `/backoffice/export/leads.csv`: the leads of a search, all of them. */
export const leadsExport = operatorExport(
  'leads.csv',
  leadSearchInput.extend({ language: exportLanguage }),
  ({ deps }, { language, ...search }) => ({
    fileName: exportName(deps, 'leads', 'csv'),
    type: CSV_TYPE,
    lines: foundLeadsCsv(deps, leadSearch(search), language),
  }),
);
