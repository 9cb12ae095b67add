import { defineConfig } from 'vitest/config';
import { SLOW_IN_BROWSER, SLOW_WITH_PROCESSES } from './web/slow.ts';

const common = {
  root: new URL('..', import.meta.url).pathname,
  testTimeout: 300_000,
  // What a page shows may take a while on a machine that is busy.
  expect: { poll: { timeout: 20_000 } },
  hookTimeout: 60_000,
};

/** What a busy neighbour would disturb: these run one at a time, apart from all others. */
const ALONE = ['test/long/{backlog,bench,crash,lookup-timing,mass-lapse,processes,schedule}.test.ts'];

/** What `npm test` runs on SQLite alone, although it must hold on both engines. */
const ON_POSTGRES_TOO = [
  'test/{backoffice,leads,money}/**/*.test.ts',
  'test/api/{no-bank,tenancy,trpc}.test.ts',
  'test/cli/beside-the-server.test.ts',
  'test/flows/{faults,phones,time}.test.ts',
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
          include: ['test/long/**/*.test.ts', ...SLOW_IN_BROWSER, ...SLOW_WITH_PROCESSES],
          exclude: ALONE,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...common,
          name: 'postgres',
          include: [...ON_POSTGRES_TOO, 'test/postgres/move.test.ts'],
          // It is about the commits that units share on SQLite.
          exclude: ['test/money/commits.test.ts'],
          globalSetup: ['test/support/postgres-setup.ts'],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
