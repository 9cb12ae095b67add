import type { Deps } from '../../deps.ts';
import { CSV_TYPE, csvHead, csvLine, csvTime, type ExportLanguage, exportLanguage } from '../csv.ts';
import { exportName } from '../export-name.ts';
import { operatorExport } from '../export-route.ts';
import { auditFilter } from './fields.ts';
import { type AuditRow, listAudit } from './list.ts';
import type { AuditFilter } from './store.ts';

const PAGE = 500;
const COLUMNS = {
  en: ['Line', 'When (Lisbon)', 'Who', 'User', 'Address', 'Merchant', 'Action', 'On', 'Details'],
  pt: [
    'Linha',
    'Quando (Lisboa)',
    'Quem',
    'Utilizador',
    'Endereço',
    'Comerciante',
    'Ação',
    'Sobre',
    'Pormenores',
  ],
} as const;

/** The audit log as CSV, newest first, one page of lines at a time. */
async function* auditCsv(
  deps: Pick<Deps, 'db'>,
  filter: AuditFilter,
  language: ExportLanguage,
): AsyncGenerator<string> {
  yield csvHead(COLUMNS[language], language);
  let cursor: string | null = null;
  do {
    const page: { rows: AuditRow[]; nextCursor: string | null } = await listAudit(deps, filter, {
      limit: PAGE,
      cursor,
    });
    if (page.rows.length > 0) yield page.rows.map((row) => csvLine(cells(row), language)).join('');
    cursor = page.nextCursor;
  } while (cursor !== null);
}

function cells({ id, at, actor, userId, address, merchantId, action, target, details }: AuditRow): unknown[] {
  return [id, csvTime(at), actor, userId, address, merchantId, action, target, details];
}

/** `/backoffice/export/audit.csv`, with the filters of the list. */
export const auditExport = operatorExport(
  'audit.csv',
  auditFilter.extend({ language: exportLanguage }),
  ({ deps }, { language, ...filter }) => ({
    fileName: exportName(deps, 'audit', 'csv'),
    type: CSV_TYPE,
    lines: auditCsv(deps, filter, language),
  }),
);
