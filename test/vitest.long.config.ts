import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { LATER_ON_POSTGRES } from './engines.ts';

const common = {
  // Modules load once per worker instead of once per file.
  isolate: false,
  // Node loads TypeScript itself, faster than Vite does.
  experimental: { viteModuleRunner: false },
  root: new URL('..', import.meta.url).pathname,
  testTimeout: 300_000,
  // Pages render slowly on a busy machine.
  expect: { poll: { timeout: 20_000 } },
  hookTimeout: 60_000,
};

/** These measure a first paint and differences of microseconds, so they run alone, one at a time. */
const ALONE = ['test/checkout/budget.long.test.ts', 'test/http/lookup-timing.long.test.ts'];

/** A package that this loads offers TypeScript under Vite's condition `development`, which Node would not load. */
const PACKAGE = 'test/client/package.long.test.ts';

/** The slowest, and those that mostly wait. They run first, so that no core idles at the end. */
const FIRST =
  /(backlog|mass-lapse|sim|bench|bank-down|rolling-upgrade|idle|failover|partition|restore|move)\.long\.test\.ts$/;

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files);
    const projects = Map.groupBy(sorted, ({ project }) => project);
    return [...projects.values()].flatMap((own) =>
      own.toSorted((a, b) => Number(FIRST.test(b.moduleId)) - Number(FIRST.test(a.moduleId))),
    );
  }
}

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

export default defineConfig({
  test: {
    // Twice the cores, because most of these tests wait for a browser, a process or a socket.
    maxWorkers: 4,
    sequence: { sequencer: SlowestFirst },
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
          exclude: [...ALONE, ...POSTGRES, PACKAGE],
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...common,
          name: 'package',
          include: [PACKAGE],
          experimental: { viteModuleRunner: true },
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...common,
          name: 'postgres',
          include: [...LATER_ON_POSTGRES, ...POSTGRES],
          globalSetup: ['test/support/postgres-setup.ts'],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
