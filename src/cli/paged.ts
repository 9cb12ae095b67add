import { setTimeout as wait } from 'node:timers/promises';

/** The pause between pages gives a running server access to the database. */
const PAGE_PAUSE_MS = 10;
const PROGRESS_MS = 1000;

/** Runs a paged job to its end and reports its running count about once a second. Resolves to the job's result. */
export async function runPaged<R>(
  pages: AsyncGenerator<number, R>,
  report: (count: number) => void,
): Promise<R> {
  let reportedAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    const page = await pages.next();
    if (page.done) return page.value;
    if (performance.now() - reportedAt >= PROGRESS_MS) {
      reportedAt = performance.now();
      report(page.value);
    }
    await wait(PAGE_PAUSE_MS);
  }
}
