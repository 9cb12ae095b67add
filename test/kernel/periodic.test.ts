import { describe, expect, test } from 'vitest';
import { createPeriodicJob, type PeriodicJobOptions } from '../../src/kernel/periodic.ts';
import { fakeClock } from '../support/fake-clock.ts';

/** A job every second whose runs end only when the test ends them. */
function slowJob(options: Partial<PeriodicJobOptions> = {}) {
  const clock = fakeClock();
  const ends: (() => void)[] = [];
  let runs = 0;
  const job = createPeriodicJob({
    clock,
    async run() {
      runs += 1;
      await new Promise<void>((resolve) => ends.push(resolve));
      return 1000;
    },
    onError: (error) => {
      throw error;
    },
    ...options,
  });
  return { clock, job, runs: () => runs, end: () => ends.shift()?.() };
}

describe('a periodic job', () => {
  test('runs at its start and again after the delay that the run returns', async () => {
    const { clock, job, runs, end } = slowJob();
    job.start();
    await clock.advance(5000);
    expect(runs()).toBe(1);
    end();
    await clock.advance(999);
    expect(runs()).toBe(1);
    await clock.advance(1);
    expect(runs()).toBe(2);
  });

  test('delays its first run', async () => {
    const { clock, job, runs } = slowJob({ firstAfterMs: 300 });
    job.wake();
    job.start();
    await clock.advance(299);
    expect(runs()).toBe(0);
    await clock.advance(1);
    expect(runs()).toBe(1);
  });

  test('wakes at once, and wakes during a run cause one more run', async () => {
    const { clock, job, runs, end } = slowJob({ firstAfterMs: 60_000 });
    job.start();
    job.wake();
    await clock.advance(60_000);
    expect(runs(), 'not at its first time as well').toBe(1);
    job.wake();
    job.wake();
    end();
    await clock.advance(0);
    expect(runs()).toBe(2);
    end();
    await clock.advance(999);
    expect(runs()).toBe(2);
  });

  test('stops after the run under way and starts no other', async () => {
    const idle = slowJob({ firstAfterMs: 300 });
    idle.job.start();
    await idle.job.stop();
    await idle.clock.advance(5000);
    expect(idle.runs()).toBe(0);
    const { clock, job, runs, end } = slowJob();
    job.start();
    job.wake();
    let stopped = false;
    const stopping = job.stop().then(() => {
      stopped = true;
    });
    await clock.advance(0);
    expect(stopped).toBe(false);
    end();
    await stopping;
    job.wake();
    await clock.advance(5000);
    expect(runs()).toBe(1);
  });

  test('reports a failed run and retries', async () => {
    const clock = fakeClock();
    const errors: unknown[] = [];
    const run = () => Promise.reject(new Error('no database'));
    const job = createPeriodicJob({ clock, run, onError: (error) => errors.push(error), retryAfterMs: 200 });
    job.start();
    await clock.advance(199);
    expect(errors).toHaveLength(1);
    await clock.advance(1);
    expect(errors).toHaveLength(2);
  });
});
