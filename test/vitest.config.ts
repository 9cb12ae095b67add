import { defineConfig } from 'vitest/config';
import { COMMON } from './common.ts';
import { BOTH_ENGINES, POSTGRES_ONLY } from './engines.ts';

const common = {
  ...COMMON,
  testTimeout: 20_000,
  expect: { poll: { timeout: 10_000 } },
  hookTimeout: 20_000,
};

export default defineConfig({
  test: {
    // More than two cores' worth, because many tests wait for a process or a socket.
    maxWorkers: 4,
    projects: [
      {
        test: {
          ...common,
          name: 'sqlite',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.long.test.ts', ...POSTGRES_ONLY],
        },
      },
      {
        test: {
          ...common,
          name: 'postgres',
          include: [...BOTH_ENGINES, ...POSTGRES_ONLY],
          globalSetup: ['test/support/postgres-setup.ts'],
        },
      },
    ],
  },
});
