import { expect, test } from 'vitest';
import { createDueWorker } from '../../src/kernel/due-worker.ts';
import { createLogger } from '../../src/log.ts';
import { fakeClock } from '../support/fake-clock.ts';

type Options = Parameters<typeof createDueWorker<{ id: string }>>[0];

/** Starts a worker of these tasks, which looks for more at once, and moves its clock by a second. */
async function started(tasks: Pick<Options, 'due' | 'run'> & Partial<Options>) {
  const clock = fakeClock();
  const defaults = { name: 'test', clock, log: { error() {} }, concurrencyMax: 4 };
  const worker = createDueWorker({ ...defaults, nextAt: async () => clock.now(), ...tasks });
  worker.start();
  await clock.advance(1000);
  return { clock, worker };
}

test('slow tasks in most of the slots delay the other tasks only a little', async () => {
  const slow = Promise.withResolvers<void>();
  const left = new Set(['slow1', 'slow2', 'slow3', 'quick1', 'quick2', 'quick3', 'quick4']);
  const ran: string[] = [];
  let [running, most] = [0, 0];
  const run = async ({ id }: { id: string }) => {
    ran.push(id);
    most = Math.max(most, ++running);
    await (id.startsWith('slow') ? slow.promise : null);
    left.delete(id);
    running -= 1;
  };
  const { clock, worker } = await started({
    log: { error: (fields) => expect.fail(JSON.stringify(fields)) },
    due: async (limit) => [...left].slice(0, limit).map((id) => ({ id })),
    run,
  });
  expect([...left]).toEqual(['slow1', 'slow2', 'slow3']);
  expect([ran.length, most], 'each task runs once, and four at most').toEqual([7, 4]);
  const stopped = worker.stop().then(() => left.size);
  await clock.advance(0);
  slow.resolve();
  expect(await stopped, 'a stop waits for running tasks').toBe(0);
});

test('tasks are found once the last one has ended, and within a minute', async () => {
  const due = [{ id: 'one' }];
  const ran: string[] = [];
  const { clock, worker } = await started({
    due: async () => due.splice(0),
    async run({ id }) {
      ran.push(id);
      if (id === 'one') due.push({ id: 'two' });
    },
    nextAt: async () => Number.MAX_SAFE_INTEGER,
  });
  expect(ran).toEqual(['one', 'two']);
  due.push({ id: 'of another process' });
  await clock.advance(60_000);
  expect(ran).toHaveLength(3);
  // A stop while the due tasks are read starts none of them.
  due.push({ id: 'late' });
  worker.wake();
  await worker.stop();
  expect(ran).toHaveLength(3);
});

test('a failed task is named in the log and retried on time, although the clock is set back', async () => {
  const lines: string[] = [];
  const { clock, worker } = await started({
    log: createLogger({ logLevel: 'error' }, { write: (line) => lines.push(line) }),
    due: async () => [{ id: 'hnt_01kb3mdnt0f8v' }],
    run: () => Promise.reject(new Error('a fault')),
  });
  const failure = { worker: 'test', taskId: 'hnt_01kb3mdnt0f8v', msg: 'worker task failed; retrying' };
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([failure]);
  await clock.jump(-3_600_000);
  for (let second = 0; second < 10; second++) await clock.advance(1000);
  await worker.stop();
  expect(lines.length).toBeGreaterThan(1);
});
