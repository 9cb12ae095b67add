/**
 * Limits a rate. Starts full at `startAt`, with `burst` tokens. The returned function takes a token and returns 0, or returns the
 * milliseconds until there is one.
 */
export function tokenBucket(perSecond: number, burst: number, startAt: number): (now: number) => number {
  let tokens = burst;
  let filledAt = startAt;
  return (now) => {
    // A clock that was set back must not drain the bucket.
    const elapsedMs = Math.max(0, now - filledAt);
    tokens = Math.min(burst, tokens + (elapsedMs * perSecond) / 1000);
    filledAt = now;
    if (tokens < 1) return Math.ceil(((1 - tokens) * 1000) / perSecond);
    tokens -= 1;
    return 0;
  };
}
