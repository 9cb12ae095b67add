const PAUSE_MS = 5;
const PAUSE_MAX_MS = 25;

/** Resolves with the first truthy value of `probe`, asked less often the longer it takes; fails after `deadlineMs`. */
export async function until<T>(
  probe: () => T | Promise<T>,
  what = 'the condition',
  deadlineMs = 15_000,
): Promise<NonNullable<T>> {
  const startedAt = Date.now();
  for (;;) {
    const value = await probe();
    if (value) return value as NonNullable<T>;
    const waitedMs = Date.now() - startedAt;
    if (waitedMs > deadlineMs) throw new Error(`waited ${deadlineMs} ms in vain for ${what}`);
    const pauseMs = Math.min(PAUSE_MS + waitedMs / 10, PAUSE_MAX_MS);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
