import { z } from 'zod';
import { AUDIT_ACTIONS } from '../../db/tables/audit.ts';
import { csvTime } from '../../kernel/csv.ts';
import { CSV_TYPE, csvLanguage, csvPages, exportName, exportRoute } from '../export-route.ts';
import { createRouter, idOf, operator, owner, page } from '../rpc.ts';
import { listAudit, listOwnAudit } from './list.ts';

/** The filters of an owner. In a download the instant is text. */
const ownFilter = z.strictObject({
  action: z.enum(AUDIT_ACTIONS).optional(),
  since: z.coerce.number().int().min(0).optional(),
});
const filter = ownFilter.extend({ merchantId: idOf('mer').optional(), userId: idOf('usr').optional() });

export const auditRouter = createRouter({
  list: operator
    .input(filter.extend(page))
    .query(({ ctx, input: { limit, cursor, direction: _, ...rest } }) =>
      listAudit(ctx.deps, rest, { limit, cursor }),
    ),
  ofMerchant: owner
    .input(ownFilter.extend(page))
    .query(({ ctx, input: { limit, cursor, direction: _, ...rest } }) =>
      listOwnAudit(ctx.deps, { ...rest, merchantId: ctx.merchantId }, { limit, cursor }),
    ),
});

const HEADINGS = {
  en: 'Entry,When (Lisbon),Who,User,Address,Merchant,Action,Object,Details',
  pt: 'Registo,Quando (Lisboa),Quem,Utilizador,Endereço,Comerciante,Ação,Objeto,Detalhes',
};
const PAGE_ROWS = 500;

/** `/backoffice/export/audit.csv`: the audit log, newest first, with the filters of the list. */
export const auditExport = exportRoute(
  'audit.csv',
  'operator',
  filter.extend({ language: csvLanguage }),
  ({ deps }, { language, ...rest }) => ({
    fileName: exportName(deps, 'audit', 'csv'),
    type: CSV_TYPE,
    lines: csvPages(
      HEADINGS[language].split(','),
      language,
      (cursor) => listAudit(deps, rest, { limit: PAGE_ROWS, cursor }),
      (row) => [
        ...[row.id, csvTime(row.at), row.actor, row.userId, row.address, row.merchantId],
        ...[row.action, row.target, row.details],
      ],
    ),
  }),
);
