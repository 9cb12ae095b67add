import { defineConfig } from 'vitest/config';
import { LATER_ON_POSTGRES } from './engines.ts';

const common = {
  // Modules load once per worker instead of once per file.
  isolate: false,
  root: new URL('..', import.meta.url).pathname,
  testTimeout: 300_000,
  // Pages render slowly on a busy machine.
  expect: { poll: { timeout: 20_000 } },
  hookTimeout: 60_000,
};

/** These measure time, so they run alone, one at a time. */
const ALONE = [
  'test/checkout/budget.long.test.ts',
  'test/webhooks/backlog.long.test.ts',
  'test/http/lookup-timing.long.test.ts',
  'test/payments/mass-lapse.long.test.ts',
];

/** Runs on PostgreSQL only. */
const POSTGRES = [
  'test/db/failover.long.test.ts',
  'test/db/idle.long.test.ts',
  'test/db/partition.long.test.ts',
  'test/db/restore.long.test.ts',
  'test/db/rolling-upgrade.long.test.ts',
  'test/db/sharding.long.test.ts',
  'test/installation/move.long.test.ts',
];

/** Suites whose every guarantee must hold on both engines. */
const ON_POSTGRES = [
  ...LATER_ON_POSTGRES,
  'test/backoffice/{*,money/*}.test.ts',
  'test/leads/*.test.ts',
  ...POSTGRES,
];

/** Of these, the suites whose results do not depend on the engine, that open SQLite themselves, or that `npm test` runs on PostgreSQL. */
const NOT_ON_POSTGRES = [
  'test/leads/erase-file.test.ts',
  'test/backoffice/{domains,passwords,sign-in-race,verify-samples}.test.ts',
  'test/backoffice/money/{bounded,list}.test.ts',
];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...common,
          name: 'alone',
          include: ALONE,
          maxWorkers: 1,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...common,
          name: 'long',
          include: ['test/**/*.long.test.ts'],
          exclude: [...ALONE, ...POSTGRES],
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...common,
          name: 'postgres',
          include: ON_POSTGRES,
          exclude: NOT_ON_POSTGRES,
          globalSetup: ['test/support/postgres-setup.ts'],
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
