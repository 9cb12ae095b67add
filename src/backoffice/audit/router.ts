import { z } from 'zod';
import { AUDIT_ACTIONS } from '../../db/tables/audit.ts';
import { actionName, actorName, auditDetails } from '../../kernel/audit-words.ts';
import { csvEuros, csvTime } from '../../kernel/csv.ts';
import type { Language } from '../../kernel/language.ts';
import type { Scoped } from '../context.ts';
import { type CsvColumn, csvLanguage, csvPages, exportRoute } from '../export-route.ts';
import { createRouter, idOf, page, scopedOwner } from '../rpc.ts';
import { listAudit } from './list.ts';
import { type AuditFilter, countAudit } from './store.ts';

const filter = z.strictObject({
  action: z.enum(AUDIT_ACTIONS).optional(),
  /** In a download it is text. */
  since: z.coerce.number().int().min(0).optional(),
  /** Operators at all merchants only, as `userId`. */
  ofMerchant: idOf('mer').optional(),
  userId: idOf('usr').optional(),
});

/** The entries that the merchant's owners may read or, for operators, those of the platform. */
export const auditRouter = createRouter({
  list: scopedOwner
    .input(filter.extend(page))
    .query(({ ctx, input }) => listAudit(ctx.deps, filterOf(ctx, input), input)),
  count: scopedOwner
    .input(filter)
    .query(({ ctx, input }) => countAudit(ctx.deps.db.read, filterOf(ctx, input))),
});

function filterOf({ merchantId }: Scoped, input: z.output<typeof filter>): AuditFilter {
  const { action, since, ofMerchant, userId } = input;
  const who = merchantId === null ? { merchantId: ofMerchant, userId } : { readableBy: merchantId };
  return { action, since, ...who };
}

type ListedEntry = Awaited<ReturnType<typeof listAudit>>['rows'][number];

const COLUMNS: readonly CsvColumn<ListedEntry>[] = [
  { en: 'Entry', pt: 'Registo', cell: (row) => row.id },
  { en: 'When (Lisbon)', pt: 'Quando (Lisboa)', cell: (row) => csvTime(row.at) },
  { en: 'Who', pt: 'Quem', cell: (row, language) => actorName(row.actor, language) },
  { en: 'User', pt: 'Utilizador', cell: (row) => row.userId },
  { en: 'Address', pt: 'Endereço', cell: (row) => row.address },
  { en: 'Merchant', pt: 'Comerciante', cell: (row) => row.merchantId },
  { en: 'Action', pt: 'Ação', cell: (row, language) => actionName(row.action, language) },
  { en: 'Object', pt: 'Objeto', cell: (row) => row.target },
  { en: 'Details', pt: 'Detalhes', cell: (row, language) => detailsText(row.details, language) },
];
const PAGE_ROWS = 500;

/** `/backoffice/export/audit.csv`: the entries of the list, newest first. */
export const auditExport = exportRoute(
  'audit.csv',
  { who: 'owner', orAll: true },
  filter.extend({ language: csvLanguage }),
  (ctx, { language, ...input }) => ({
    lines: csvPages(COLUMNS, language, (cursor) =>
      listAudit(ctx.deps, filterOf(ctx, input), { limit: PAGE_ROWS, cursor }),
    ),
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
