import { expect, test } from 'vitest';
import { createDueWorker } from '../../src/kernel/due-worker.ts';
import { createLogger } from '../../src/log.ts';
import { fakeClock } from '../support/fake-clock.ts';

test('slow tasks in most of the slots delay the other tasks only a little', async () => {
  const clock = fakeClock();
  const slow = Promise.withResolvers<void>();
  const left = new Set(['slow1', 'slow2', 'slow3', 'quick1', 'quick2', 'quick3', 'quick4']);
  const started: string[] = [];
  let [running, most] = [0, 0];
  const run = async ({ id }: { id: string }) => {
    started.push(id);
    most = Math.max(most, ++running);
    await (id.startsWith('slow') ? slow.promise : null);
    left.delete(id);
    running -= 1;
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
  expect([started.length, most], 'each task runs once, and four at most').toEqual([7, 4]);
  const stopped = worker.stop().then(() => left.size);
  await clock.advance(0);
  slow.resolve();
  expect(await stopped, 'a stop waits for running tasks').toBe(0);
});

test('tasks are found once the last one has ended, and within a minute', async () => {
  const clock = fakeClock();
  const due = [{ id: 'one' }];
  const started: string[] = [];
  const worker = createDueWorker({
    name: 'test',
    clock,
    log: { error() {} },
    concurrencyMax: 4,
    due: async () => due.splice(0),
    async run({ id }) {
      started.push(id);
      if (id === 'one') due.push({ id: 'two' });
    },
    nextAt: async () => clock.now() + 3_600_000,
  });
  worker.start();
  await clock.advance(1000);
  expect(started).toEqual(['one', 'two']);
  due.push({ id: 'of another process' });
  await clock.advance(60_000);
  expect(started).toHaveLength(3);
  // A stop while the due tasks are read starts none of them.
  due.push({ id: 'late' });
  worker.wake();
  await worker.stop();
  expect(started).toHaveLength(3);
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
