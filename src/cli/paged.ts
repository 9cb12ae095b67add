import { setTimeout as wait } from 'node:timers/promises';

/** The pause between pages gives a running server access to the database. */
const PAGE_PAUSE_MS = 10;
const PROGRESS_MS = 1000;

/** Runs a paged job to its end and reports its running count about once a second. Resolves to the job's result. */
export async function runPaged<R>(
  pages: AsyncGenerator<number, R>,
  report: (count: number) => void,
): Promise<R> {
  const progress = oncePerSecond(report);
  for (;;) {
    const page = await pages.next();
    if (page.done) return page.value;
    progress(page.value);
    await wait(PAGE_PAUSE_MS);
  }
}

/** Passes on the first report and then at most one a second. */
export function oncePerSecond<T>(report: (progress: T) => void): (progress: T) => void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return (progress) => {
    if (performance.now() - reportedAt < PROGRESS_MS) return;
    reportedAt = performance.now();
    report(progress);
  };
}
