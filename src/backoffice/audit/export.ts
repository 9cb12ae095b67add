import type { Deps } from '../../deps.ts';
import { isoInstant } from '../../kernel/clock.ts';
import { csvCell } from '../../leads/csv.ts';
import { operatorExport } from '../export-route.ts';
import { auditFilter } from './fields.ts';
import { type AuditRow, listAudit } from './list.ts';
import type { AuditFilter } from './store.ts';

const PAGE = 500;
const COLUMNS = [
  'id',
  'at',
  'actor',
  'userId',
  'address',
  'merchantId',
  'action',
  'target',
  'details',
] as const;

/** The audit log as CSV (RFC 4180, UTF-8), newest first, one page of lines at a time. */
async function* auditCsv(deps: Pick<Deps, 'db'>, filter: AuditFilter): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  let cursor: string | null = null;
  do {
    const page: { rows: AuditRow[]; nextCursor: string | null } = await listAudit(deps, filter, {
      limit: PAGE,
      cursor,
    });
    if (page.rows.length > 0) yield page.rows.map(csvLine).join('');
    cursor = page.nextCursor;
  } while (cursor !== null);
}

function csvLine(row: AuditRow): string {
  const cells = { ...row, at: isoInstant(row.at) };
  return `${COLUMNS.map((column) => csvCell(cells[column])).join(',')}\r\n`;
}

/** `/backoffice/export/audit.csv`, with the filters of the list. */
export const auditExport = operatorExport('audit.csv', auditFilter, ({ deps }, filter) => ({
  fileName: 'audit.csv',
  type: 'text/csv; charset=utf-8',
  lines: auditCsv(deps, filter),
}));
