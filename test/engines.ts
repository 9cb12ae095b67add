import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the test files of a folder by name. Throws when one does not exist, so that a renamed file is not left out. */
function tests(folder: string, names: string): string[] {
  return names.split(' ').map((name) => {
    const file = `test/${folder}/${name}.test.ts`;
    if (!existsSync(join(import.meta.dirname, '..', file))) throw new Error(`${file} does not exist`);
    return file;
  });
}

/** `npm test` runs these on both engines. */
export const BOTH_ENGINES = [
  ...tests('api', 'auth domains idempotency init leads rate-limit status steps'),
  ...tests('backoffice', 'sign-in-race system'),
  ...tests('banks', 'accounts callback-worker inquiry-worker reconciler'),
  ...tests('db', 'expand retention snapshots unit-of-work'),
  ...tests('installation', 'copied-text identity upgrade'),
  ...tests('payments', 'hold refund-lost refund-machine refund-reported'),
  ...tests('search', 'search'),
  ...tests('webhooks', 'actions crash delivery ordering'),
];

/** These are about PostgreSQL. */
export const POSTGRES_ONLY = [
  ...tests(
    'db',
    'deferred match-races open postgres-plans processes races receipt-races refund-processes shared takeover undelivered-races units',
  ),
  ...tests('search', 'without-trigrams'),
];

/** `npm test` runs these on SQLite, `npm run test:long` on PostgreSQL: their guarantees depend on the engine's SQL or transactions. */
export const LATER_ON_POSTGRES = [
  ...tests('payments', 'assign attempts fallback init phones record refund-effects refunds stalled'),
  ...tests('api', 'tenancy'),
  ...tests(
    'webhooks',
    'auto-recovery auto-recovery-clock auto-recovery-off claims isolation listeners recovery sequence',
  ),
  ...tests('cli', 'beside-the-server.long'),
  ...tests('checkout', 'abuse link-sales links page sessions terms'),
  ...tests('http/fuzz', 'fuzz'),
  ...tests('leads', 'erase erase-others erase-sessions leads search'),
  ...tests('backoffice', 'across audit audit-reading delivery-log exceptions keys links new-merchant'),
  ...tests('backoffice', 'payment-links refunds requests settlement sign-in stale-dialogs team transaction'),
  ...tests('backoffice/money', 'totals'),
];
