import { expect, test } from 'vitest';
import { createDueWorker } from '../../src/kernel/due-worker.ts';
import { createLogger } from '../../src/log.ts';
import { fakeClock } from '../support/fake-clock.ts';

test('slow tasks in most of the slots delay the other tasks only a little', async () => {
  const clock = fakeClock();
  const slow = Promise.withResolvers<void>();
  const left = new Set(['slow1', 'slow2', 'slow3', 'quick1', 'quick2', 'quick3', 'quick4']);
  const run = async ({ id }: { id: string }) => {
    if (id.startsWith('slow')) await slow.promise;
    left.delete(id);
  };
  const worker = createDueWorker({
    name: 'test',
    clock,
    log: { error: (fields) => expect.fail(JSON.stringify(fields)) },
    concurrencyMax: 4,
    due: async (limit) => [...left].slice(0, limit).map((id) => ({ id })),
    run,
    nextAt: async () => (left.size === 0 ? null : clock.now()),
  });
  worker.start();
  await clock.advance(1000);
  expect([...left]).toEqual(['slow1', 'slow2', 'slow3']);
  slow.resolve();
  await worker.stop();
  expect(left.size).toBe(0);
});

test('a failed task is retried on time although the clock is set back', async () => {
  const clock = fakeClock();
  let runs = 0;
  const run = async () => {
    runs += 1;
    throw new Error('a fault');
  };
  const worker = createDueWorker({
    name: 'test',
    clock,
    log: { error() {} },
    concurrencyMax: 1,
    due: async () => [{ id: 'one' }],
    run,
    nextAt: async () => clock.now(),
  });
  worker.start();
  await clock.advance(1000);
  expect(runs).toBe(1);
  await clock.jump(-3_600_000);
  for (let second = 0; second < 10; second++) await clock.advance(1000);
  await worker.stop();
  expect(runs).toBeGreaterThan(1);
});

test('the log names the failed task', async () => {
  const clock = fakeClock();
  const lines: string[] = [];
  const worker = createDueWorker({
    name: 'test',
    clock,
    log: createLogger({ logLevel: 'error' }, { write: (line) => lines.push(line) }),
    concurrencyMax: 1,
    due: async () => [{ id: 'hnt_01kb3mdnt0f8v' }],
    run: () => Promise.reject(new Error('a fault')),
    nextAt: async () => clock.now(),
  });
  worker.start();
  await clock.advance(1000);
  await worker.stop();
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    worker: 'test',
    taskId: 'hnt_01kb3mdnt0f8v',
    msg: 'worker task failed; retrying',
  });
});
