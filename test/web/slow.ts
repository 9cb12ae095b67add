/** Walks through pages in a real browser that take too long for the quick suite: `npm run test:long` runs them. */
export const SLOW_IN_BROWSER = [
  'test/checkout/command.test.ts',
  'test/checkout/walk.test.ts',
  'test/sandbox/page-walk.test.ts',
  ...[
    'account-page',
    'exceptions',
    'frame',
    'keys-domains',
    'operator',
    'operator-people',
    'overview',
    'people',
    'review',
    'transaction',
    'transactions',
    'webhook',
  ].map((name) => `test/web/${name}.test.ts`),
];

/** What starts so many processes that the quick suite would take longer than three minutes on two cores. */
export const SLOW_WITH_PROCESSES = [
  'test/cli/{beside-the-server,doctor,doctor-command}.test.ts',
  'test/ops/deploy.test.ts',
  'test/process/crash.test.ts',
];
