import { defineConfig } from 'vitest/config';

const common = {
  root: new URL('..', import.meta.url).pathname,
  testTimeout: 300_000,
  // What a page shows may take a while on a machine that is busy.
  expect: { poll: { timeout: 20_000 } },
  hookTimeout: 60_000,
};

/** What a busy neighbour would disturb: these run one at a time, apart from all others. */
const ALONE = [
  'test/scripts/{bench,crash}.long.test.ts',
  'test/webhooks/backlog.long.test.ts',
  'test/http/lookup-timing.long.test.ts',
  'test/payments/mass-lapse.long.test.ts',
  'test/db/processes.long.test.ts',
];

/** Runs on PostgreSQL only. */
const POSTGRES = ['test/installation/move.long.test.ts'];

/** What `npm test` runs on SQLite alone, although it must hold on both engines. */
const ON_POSTGRES_TOO = [
  'test/backoffice/{*,money/*}.test.ts',
  'test/leads/*.test.ts',
  'test/payments/{assign,attempts,faults,phones,record,time}.test.ts',
  'test/api/{no-bank,tenancy,trpc}.test.ts',
  'test/cli/beside-the-server.long.test.ts',
  'test/webhooks/{claims,isolation,recovery,rotation,sequence}.test.ts',
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
          include: [...ON_POSTGRES_TOO, ...POSTGRES],
          // It needs no database.
          exclude: ['test/backoffice/csv.test.ts'],
          globalSetup: ['test/support/postgres-setup.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
