/** Walks through pages in a real browser that take too long for the quick suite: `npm run test:long` runs them. */
export const SLOW_IN_BROWSER = [
  'test/checkout/command.test.ts',
  'test/checkout/walk.test.ts',
  'test/sandbox/page-walk.test.ts',
  ...[
    'account-page',
    'exceptions',
    'frame',
    'hooks',
    'money',
    'operator',
    'people',
    'review',
    'transaction',
  ].map((name) => `test/web/${name}.test.ts`),
];
