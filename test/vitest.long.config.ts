import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { COMMON } from './common.ts';
import { LATER_ON_POSTGRES } from './engines.ts';

const common = {
  ...COMMON,
  testTimeout: 300_000,
  // Pages render slowly on a busy machine.
  expect: { poll: { timeout: 20_000 } },
  hookTimeout: 60_000,
};

/** These measure a first paint and differences of microseconds, so they run alone, one at a time. */
const ALONE = ['test/checkout/budget.long.test.ts', 'test/http/lookup-timing.long.test.ts'];

/** A package that this loads offers TypeScript under Vite's condition `development`, which Node would not load. */
const PACKAGE = 'test/client/package.long.test.ts';

/** The tests that mostly wait and the slowest tests run first, in this order, so that no core idles at the end. */
const FIRST = [
  ...['bench', 'crash', 'processes', 'sim', 'backlog', 'mass-lapse', 'walk', 'pages'],
  ...['idle', 'failover', 'partition', 'rolling-upgrade', 'restore', 'move'],
];

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files);
    const projects = Map.groupBy(sorted, ({ project }) => project);
    return [...projects.values()].flatMap((own) => own.toSorted((a, b) => placeOf(a) - placeOf(b)));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = FIRST.indexOf(basename(moduleId, '.long.test.ts'));
  return place === -1 ? FIRST.length : place;
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
    // Twice the cores, because most tests wait for a browser, a process or a socket. With more workers the suite is no faster.
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
