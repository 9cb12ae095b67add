import { defineConfig } from 'vitest/config';
import { SLOW_IN_BROWSER } from './web/slow.ts';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/long/**/*.test.ts', ...SLOW_IN_BROWSER],
    testTimeout: 300_000,
    // What a page shows may take a while on a machine that is busy.
    expect: { poll: { timeout: 20_000 } },
    hookTimeout: 60_000,
    maxWorkers: 1,
  },
});
