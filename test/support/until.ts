/** Resolves with the first truthy value of `probe`; fails after `deadlineMs`. */
export async function until<T>(
  probe: () => T | Promise<T>,
  what = 'the condition',
  deadlineMs = 15_000,
): Promise<NonNullable<T>> {
  const end = Date.now() + deadlineMs;
  for (;;) {
    const value = await probe();
    if (value) return value as NonNullable<T>;
    if (Date.now() > end) throw new Error(`waited ${deadlineMs} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
