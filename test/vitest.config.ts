import { defineConfig } from 'vitest/config';
import { SLOW_IN_BROWSER } from './web/slow.ts';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    exclude: ['test/long/**', ...SLOW_IN_BROWSER],
    testTimeout: 20_000,
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 20_000,
    maxWorkers: 2,
  },
});
