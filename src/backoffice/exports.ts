import { auditExport } from './audit/export.ts';
import type { ExportRoute } from './export-route.ts';
import { leadsExport } from './leads/export.ts';
import { transactionsExport } from './transactions/router.ts';
import { eventsExport } from './webhook/export.ts';

/** Every download of the back office: one line each. */
export const EXPORTS: readonly ExportRoute[] = [auditExport, eventsExport, leadsExport, transactionsExport];
