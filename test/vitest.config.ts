import { defineConfig } from 'vitest/config';
import { SLOW_IN_BROWSER } from './web/slow.ts';

const common = {
  root: new URL('..', import.meta.url).pathname,
  testTimeout: 20_000,
  expect: { poll: { timeout: 10_000 } },
  hookTimeout: 20_000,
};

/** What runs on both engines: what the contract promises of the API, the deliveries, the bank and the stored rows. */
const BOTH = ['test/{api,bank,store,webhooks}/**/*.test.ts', 'test/flows/{phones,hold,credit}.test.ts'];
/** Tests of the SQLite engine itself, and those that never come near a database. */
const SQLITE_ALONE = [
  'test/bank/ifthenpay-{creates,list,questions}.test.ts',
  'test/webhooks/{guard,names}.test.ts',
  'test/store/{config,migration,query-plans,shared-commits}.test.ts',
  'test/webhooks/plans.test.ts',
];

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...common,
          name: 'sqlite',
          include: ['test/**/*.test.ts'],
          exclude: ['test/long/**', 'test/postgres/**', ...SLOW_IN_BROWSER],
        },
      },
      {
        test: {
          ...common,
          name: 'postgres',
          include: [...BOTH, 'test/postgres/**/*.test.ts'],
          exclude: SQLITE_ALONE,
          globalSetup: ['test/support/postgres-setup.ts'],
        },
      },
    ],
  },
});
