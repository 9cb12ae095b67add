import { auditExport, auditRouter } from './audit/router.ts';
import { domainsRouter } from './domains/router.ts';
import { exceptionsRouter } from './exceptions/router.ts';
import type { ExportRoute } from './export-route.ts';
import { keysRouter } from './keys/router.ts';
import { leadsExport, leadsRouter } from './leads/router.ts';
import { merchantsRouter } from './merchants/router.ts';
import { methodsRouter } from './methods/router.ts';
import { overviewRouter } from './overview/router.ts';
import { paymentLinksRouter } from './payment-links/router.ts';
import { accountRouter, linkRouter, sessionRouter, usersRouter } from './people/router.ts';
import { refundsRouter } from './refunds/router.ts';
import { requestsRouter } from './requests/router.ts';
import { reviewRouter } from './review/router.ts';
import { createRouter } from './rpc.ts';
import { settlementExport, settlementRouter } from './settlement/router.ts';
import { systemRouter } from './system/router.ts';
import { teamRouter } from './team/router.ts';
import { transactionRouter } from './transaction/router.ts';
import { transactionsExport, transactionsRouter } from './transactions/router.ts';
import { eventsExport, webhookRouter } from './webhook/router.ts';

export const backofficeRouter = createRouter({
  session: sessionRouter,
  account: accountRouter,
  link: linkRouter,
  team: teamRouter,
  users: usersRouter,
  audit: auditRouter,
  methods: methodsRouter,
  overview: overviewRouter,
  transactions: transactionsRouter,
  transaction: transactionRouter,
  settlement: settlementRouter,
  webhook: webhookRouter,
  keys: keysRouter,
  requests: requestsRouter,
  domains: domainsRouter,
  merchants: merchantsRouter,
  leads: leadsRouter,
  system: systemRouter,
  exceptions: exceptionsRouter,
  refunds: refundsRouter,
  paymentLinks: paymentLinksRouter,
  review: reviewRouter,
});

export type BackofficeRouter = typeof backofficeRouter;

export const EXPORTS: readonly ExportRoute[] = [
  auditExport,
  eventsExport,
  leadsExport,
  settlementExport,
  transactionsExport,
];
