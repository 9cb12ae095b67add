import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';
import { Run } from './model/run.ts';
import { STEP } from './model/steps.ts';

const RUNS = Number(process.env.MODEL_RUNS ?? 12);
const SEED = Number(process.env.MODEL_SEED ?? 20260115);
const STEPS_MAX = Number(process.env.MODEL_STEPS ?? 60);

test(
  `whatever happens in whatever order, every promise holds after every step (seed ${SEED}, ${RUNS} runs)`,
  async () => {
    const folder = temporaryFolder(afterAll);
    const totals: Record<string, number> = { runs: 0, steps: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.array(STEP, { minLength: 10, maxLength: STEPS_MAX, size: 'max' }),
        async (steps) => {
          const run = new Run(folder);
          await run.open();
          try {
            for (const step of steps) await run.step(step);
            await run.end();
          } finally {
            await run.close();
          }
          const seen = { runs: 1, steps: steps.length, ...run.checker.counts };
          for (const [name, count] of Object.entries(seen)) totals[name] = (totals[name] ?? 0) + count;
        },
      ),
      {
        numRuns: RUNS,
        seed: SEED,
        endOnFailure: process.env.MODEL_SHRINK === '0',
        ...(process.env.MODEL_PATH && { path: process.env.MODEL_PATH }),
      },
    );
    if (process.env.MODEL_STATS) process.stdout.write(`${JSON.stringify({ seed: SEED, ...totals })}\n`);
    // A model that never saw a late euro proves nothing about late ones.
    if (RUNS >= 40) expect(Object.values(totals).every((count) => count > 0)).toBe(true);
  },
  24 * 3_600_000,
);
