import type { Clock } from './clock.ts';
import { errorText } from './errors.ts';
import { createPeriodicJob, type PeriodicJob } from './periodic.ts';
import { tokenBucket } from './token-bucket.ts';

interface DueWorkerOptions<Task extends { id: string | number }> {
  name: string;
  clock: Clock;
  log: { error(fields: object, message: string): void };
  concurrencyMax: number;
  /** The tasks that are due, the most urgent first, at most `limit`; may include running ones. */
  due(limit: number): Promise<Task[]>;
  /** Runs a task. The tasks of one `id` never run at the same time. A long run may end early when `isStopping()` is true. */
  run(task: Task, isStopping: () => boolean): Promise<void>;
  /** When the next task falls due; null when none is planned. */
  nextAt(): Promise<number | null>;
  /** Bounds how many tasks start per second. */
  perSecond?: number;
}

/** The longest sleep of a worker, after which it finds tasks planned by another process. */
const SLEEP_MAX_MS = 60_000;
/** The next check while a due task is still running, or waits for one to end. */
const RECHECK_MS = 200;
/** The pause after a task, or the query for due tasks, failed unexpectedly. */
const RETRY_AFTER_MS = 5000;
/** A burst is at most the tasks of a tenth of a second. */
const BURSTS_PER_SECOND = 10;

/** A periodic job that runs tasks concurrently as they fall due. A failure is logged and never ends the worker. */
export function createDueWorker<Task extends { id: string | number }>(
  options: DueWorkerOptions<Task>,
): PeriodicJob {
  const { name, clock, log, concurrencyMax, perSecond } = options;
  const takeToken =
    perSecond === undefined
      ? () => 0
      : tokenBucket(perSecond, Math.max(1, perSecond / BURSTS_PER_SECOND), clock.now());
  const running = new Map<Task['id'], Promise<void>>();
  const retryAt = new Map<Task['id'], number>();
  let full = false;

  async function startDueTasks(isStopping: () => boolean): Promise<number> {
    const due = await options.due(concurrencyMax * 2);
    const now = clock.now();
    // A time too far ahead was set before the clock was set back.
    for (const [key, at] of retryAt) if (at <= now || at > now + RETRY_AFTER_MS) retryAt.delete(key);
    full = false;
    for (const task of due) {
      if (isStopping() || running.has(task.id) || retryAt.has(task.id)) continue;
      if (running.size >= concurrencyMax) {
        full = true;
        return RECHECK_MS;
      }
      const waitMs = takeToken(clock.now());
      if (waitMs > 0) return waitMs;
      running.set(task.id, runTask(task, isStopping));
    }
    const nextAt = await options.nextAt();
    if (nextAt === null) return SLEEP_MAX_MS;
    const delayMs = nextAt - clock.now();
    return delayMs > 0 ? Math.min(delayMs, SLEEP_MAX_MS) : RECHECK_MS;
  }

  async function runTask(task: Task, isStopping: () => boolean): Promise<void> {
    try {
      await options.run(task, isStopping);
    } catch (error) {
      log.error({ worker: name, taskId: task.id, detail: errorText(error) }, 'worker task failed; retrying');
      retryAt.set(task.id, clock.now() + RETRY_AFTER_MS);
    }
    running.delete(task.id);
    if (running.size === 0 || (full && running.size <= concurrencyMax / 2)) job.wake();
  }

  const job = createPeriodicJob({
    clock,
    run: startDueTasks,
    onError: (error) =>
      log.error({ worker: name, detail: errorText(error) }, 'worker cannot read its due tasks; retrying'),
    retryAfterMs: RETRY_AFTER_MS,
  });
  return {
    ...job,
    async stop() {
      await job.stop();
      await Promise.all(running.values());
    },
  };
}
