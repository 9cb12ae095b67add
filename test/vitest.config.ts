import { defineConfig } from 'vitest/config';
import { SLOW_IN_BROWSER, SLOW_WITH_PROCESSES } from './web/slow.ts';

const common = {
  root: new URL('..', import.meta.url).pathname,
  testTimeout: 20_000,
  expect: { poll: { timeout: 10_000 } },
  hookTimeout: 20_000,
};

/**
 * What runs on both engines: what the contract promises of the API, the deliveries, the bank and the stored rows, as far as an
 * engine could break it. Shapes of requests, addresses and signatures are the same on any; `npm run test:long` runs the
 * back office, the money, longer flows and what waits for leases on PostgreSQL.
 */
const BOTH = [
  'test/api/{auth,domains,idempotency,init,leads,rate-limit,status,steps}.test.ts',
  'test/bank/{accounts,callbacks,hints,inquiries,reconcile}.test.ts',
  'test/flows/{credit,hold}.test.ts',
  'test/retention/pace.test.ts',
  'test/retention/retention.test.ts',
  'test/store/{expand,identity,prepared,unit-of-work}.test.ts',
  'test/webhooks/{actions,crash,delivery,lanes}.test.ts',
];

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
          exclude: ['test/long/**', 'test/postgres/**', ...SLOW_IN_BROWSER, ...SLOW_WITH_PROCESSES],
        },
      },
      {
        test: {
          ...common,
          name: 'postgres',
          include: [...BOTH, 'test/postgres/**/*.test.ts'],
          // It starts a dozen processes.
          exclude: ['test/postgres/move.test.ts'],
          globalSetup: ['test/support/postgres-setup.ts'],
        },
      },
    ],
  },
});
