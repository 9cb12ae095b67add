import { expect, test } from 'vitest';
import { HOUR_MS } from '../../src/kernel/clock.ts';
import { retryWrite } from '../../src/kernel/retry-write.ts';
import { fakeClock } from '../support/fake-clock.ts';

/** Retries a write that always fails, after 5 s, as that of an unreachable server does. The clock changes by `stepMs` after a second. */
async function failing(stepMs: number, isStopping: boolean) {
  const clock = fakeClock();
  let ahead = 0;
  let isOver = false;
  const stepped = { ...clock, now: () => clock.now() + ahead };
  const fail = () =>
    new Promise<never>((_, reject) => clock.after(5000, () => reject(new Error('no answer'))));
  void retryWrite(
    stepped,
    () => isStopping,
    fail,
    () => {},
  ).catch(() => {
    isOver = true;
  });
  await clock.advance(1000);
  ahead = stepMs;
  return { clock, isOver: () => isOver };
}

const STEPS = [0, HOUR_MS, -HOUR_MS];

test.each(STEPS)('a write is retried for five minutes, although the clock changes by %s ms', async (step) => {
  const { clock, isOver } = await failing(step, false);
  await clock.advance(290_000);
  expect(isOver()).toBe(false);
  await clock.advance(20_000);
  expect(isOver()).toBe(true);
});

test.each(STEPS)(
  'a stopping process gives up after some seconds, although the clock changes by %s ms',
  async (step) => {
    const { clock, isOver } = await failing(step, true);
    await clock.advance(1500);
    expect(isOver()).toBe(false);
    await clock.advance(10_000);
    expect(isOver()).toBe(true);
  },
);
