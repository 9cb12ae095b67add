import { z } from 'zod';
import { AUDIT_ACTIONS } from '../../db/tables/audit.ts';
import { actionName, actorName, auditDetails } from '../../kernel/audit-words.ts';
import { csvEuros, csvTime } from '../../kernel/csv.ts';
import type { Language } from '../../kernel/language.ts';
import { csvLanguage, csvPages, exportRoute } from '../export-route.ts';
import { createRouter, idOf, operator, owner, type PageInput, page } from '../rpc.ts';
import { listAudit, listOwnAudit } from './list.ts';
import { countAudit } from './store.ts';

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
  count: operator.input(filter).query(({ ctx, input }) => countAudit(ctx.deps.db.read, input)),
  ofMerchant: owner
    .input(ownFilter.extend(page))
    .query(({ ctx, input: { limit, cursor, direction: _, ...rest } }) =>
      listOwnAudit(ctx.deps, { ...rest, readableBy: ctx.merchantId }, { limit, cursor }),
    ),
  countOfMerchant: owner
    .input(ownFilter)
    .query(({ ctx, input }) => countAudit(ctx.deps.db.read, { ...input, readableBy: ctx.merchantId })),
});

const HEADINGS = {
  en: 'Entry,When (Lisbon),Who,User,Address,Merchant,Action,Object,Details',
  pt: 'Registo,Quando (Lisboa),Quem,Utilizador,Endereço,Comerciante,Ação,Objeto,Detalhes',
};
const PAGE_ROWS = 500;

/** Entries as CSV, newest first. */
function auditCsv(language: Language, readPage: (page: PageInput) => ReturnType<typeof listAudit>) {
  return csvPages(
    HEADINGS[language].split(','),
    language,
    (cursor) => readPage({ limit: PAGE_ROWS, cursor }),
    (row) => [
      ...[row.id, csvTime(row.at), actorName(row.actor, language), row.userId, row.address, row.merchantId],
      ...[actionName(row.action, language), row.target, detailsText(row.details, language)],
    ],
  );
}

/** `/backoffice/export/audit.csv`: the audit log, newest first, with the filters of the list. */
export const auditExport = exportRoute(
  'audit.csv',
  'operator',
  'audit',
  filter.extend({ language: csvLanguage }),
  ({ deps }, { language, ...rest }) => ({
    lines: auditCsv(language, (page) => listAudit(deps, rest, page)),
  }),
);

/** `/backoffice/export/merchant-audit.csv`: the entries that an owner may read. */
export const ownAuditExport = exportRoute(
  'merchant-audit.csv',
  'owner',
  'audit',
  ownFilter.extend({ language: csvLanguage }),
  ({ deps, merchantId }, { language, ...rest }) => ({
    lines: auditCsv(language, (page) => listOwnAudit(deps, { ...rest, readableBy: merchantId }, page)),
  }),
);

function detailsText(details: Readonly<Record<string, unknown>>, language: Language): string {
  const format = {
    euro: (cents: number) => csvEuros(cents, language),
    count: String,
    time: csvTime,
  };
  return auditDetails(details, language, format)
    .map(({ text }) => text)
    .join('; ');
}
