import { defineConfig } from 'vitest/config';

const common = {
  root: new URL('..', import.meta.url).pathname,
  testTimeout: 20_000,
  expect: { poll: { timeout: 10_000 } },
  hookTimeout: 20_000,
};

/**
 * What runs on both engines: whatever the contract promises of the API, the deliveries, the bank and the stored rows that an
 * engine could break. `npm run test:long` runs the remaining suites on PostgreSQL.
 */
const BOTH = [
  'test/api/{auth,domains,idempotency,init,leads,rate-limit,status,steps}.test.ts',
  'test/banks/{accounts,callback-worker,inquiry-worker,reconciler}.test.ts',
  'test/db/{expand,pace,prepared,retention,unit-of-work}.test.ts',
  'test/installation/{copied-text,identity,upgrade}.test.ts',
  'test/payments/{credit,hold}.test.ts',
  'test/webhooks/{actions,crash,delivery,ordering}.test.ts',
];

/** Tests of PostgreSQL itself. */
const POSTGRES = ['test/db/{open,processes,races,shared,units}.test.ts'];

export default defineConfig({
  test: {
    // One more than the machine's usual two cores: many tests wait for a process or a socket.
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...common,
          name: 'sqlite',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.long.test.ts', ...POSTGRES],
        },
      },
      {
        test: {
          ...common,
          name: 'postgres',
          include: [...BOTH, ...POSTGRES],
          globalSetup: ['test/support/postgres-setup.ts'],
        },
      },
    ],
  },
});
