import type { Clock } from '../../kernel/clock.ts';

/** Paces calls: `take` is true at most `perSecond` times a second, a tenth of a second's worth at once. */
export interface TokenBucket {
  take(): boolean;
  /** Milliseconds until `take` can be true again. */
  waitMs(): number;
}

/** A bucket that starts full. */
export function createTokenBucket(clock: Clock, perSecond: number): TokenBucket {
  const tokensMax = Math.max(1, perSecond / 10);
  let tokens = tokensMax;
  let filledAt = clock.now();

  function fill(): void {
    const now = clock.now();
    // A clock set back must not empty the bucket for as long.
    tokens = Math.min(tokensMax, tokens + (Math.max(0, now - filledAt) * perSecond) / 1000);
    filledAt = now;
  }
  return {
    take() {
      fill();
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
    waitMs() {
      fill();
      return tokens >= 1 ? 0 : Math.max(1, Math.ceil(((1 - tokens) * 1000) / perSecond));
    },
  };
}
