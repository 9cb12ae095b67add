import { auditRouter } from './audit/router.ts';
import { domainsRouter } from './domains/router.ts';
import { exceptionsRouter } from './exceptions/router.ts';
import { keysRouter } from './keys/router.ts';
import { leadsRouter } from './leads/router.ts';
import { merchantsRouter } from './merchants/router.ts';
import { methodsRouter } from './methods/router.ts';
import { overviewRouter } from './overview/router.ts';
import { accountRouter } from './people/account-router.ts';
import { linkRouter } from './people/link-router.ts';
import { sessionRouter } from './people/session-router.ts';
import { usersRouter } from './people/users-router.ts';
import { reviewRouter } from './review/router.ts';
import { createRouter } from './rpc.ts';
import { systemRouter } from './system/router.ts';
import { teamRouter } from './team/router.ts';
import { transactionRouter } from './transaction/router.ts';
import { transactionsRouter } from './transactions/router.ts';
import { webhookRouter } from './webhook/router.ts';

/** The back office's table of contents: one line an area. */
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
  webhook: webhookRouter,
  keys: keysRouter,
  domains: domainsRouter,
  merchants: merchantsRouter,
  leads: leadsRouter,
  system: systemRouter,
  exceptions: exceptionsRouter,
  review: reviewRouter,
});

export type BackofficeRouter = typeof backofficeRouter;
