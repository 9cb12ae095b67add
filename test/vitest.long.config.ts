import { defineConfig } from 'vitest/config';
import { LATER_ON_POSTGRES } from './engines.ts';

const common = {
  root: new URL('..', import.meta.url).pathname,
  testTimeout: 300_000,
  // Pages render slowly on a busy machine.
  expect: { poll: { timeout: 20_000 } },
  hookTimeout: 60_000,
};

/** These measure time or load the machine, so they run alone, one at a time. */
const ALONE = [
  'test/scripts/crash.long.test.ts',
  'test/webhooks/backlog.long.test.ts',
  'test/http/lookup-timing.long.test.ts',
  'test/payments/mass-lapse.long.test.ts',
  'test/db/processes.long.test.ts',
];

/** Runs on PostgreSQL only. */
const POSTGRES = ['test/installation/move.long.test.ts'];

/** Suites whose every guarantee must hold on both engines. */
const ON_POSTGRES = [
  ...LATER_ON_POSTGRES,
  'test/backoffice/{*,money/*}.test.ts',
  'test/leads/*.test.ts',
  ...POSTGRES,
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
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...common,
          name: 'postgres',
          include: ON_POSTGRES,
          globalSetup: ['test/support/postgres-setup.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
