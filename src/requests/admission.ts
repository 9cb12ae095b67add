import type { Id } from '../kernel/ids.ts';

/** How many requests are listed: a burst, then so many a minute. */
interface Rate {
  readonly burst: number;
  readonly perMinute: number;
}

/**
 * Of each merchant. Failures have a separate rate, so that successes never displace them. In seven days at most 91,620 rows per
 * merchant and process.
 */
const SUCCESSES: Rate = { burst: 300, perMinute: 3 };
const FAILURES: Rate = { burst: 600, perMinute: 6 };
const MINUTE_MS = 60_000;
/** Merchants whose rates are kept in memory; beyond it all start again. */
const MERCHANTS_MAX = 20_000;

interface Bucket {
  tokens: number;
  filledAt: number;
}

interface Standing {
  readonly successes: Bucket;
  readonly failures: Bucket;
  skipped: number;
}

export interface Admission {
  /**
   * Returns how many of the merchant's requests were skipped since its last listed one when this request is to be listed; null when
   * it is skipped itself.
   */
  admit(merchantId: Id<'mer'>, isFailure: boolean, now: number): number | null;
}

/** Decides which requests the log lists. */
export function createAdmission(): Admission {
  const standings = new Map<Id<'mer'>, Standing>();

  function standingOf(merchantId: Id<'mer'>, now: number): Standing {
    const known = standings.get(merchantId);
    if (known !== undefined) return known;
    if (standings.size >= MERCHANTS_MAX) standings.clear();
    const standing = {
      successes: { tokens: SUCCESSES.burst, filledAt: now },
      failures: { tokens: FAILURES.burst, filledAt: now },
      skipped: 0,
    };
    standings.set(merchantId, standing);
    return standing;
  }

  return {
    admit(merchantId, isFailure, now) {
      const standing = standingOf(merchantId, now);
      const isListed = isFailure
        ? take(standing.failures, FAILURES, now)
        : take(standing.successes, SUCCESSES, now);
      if (!isListed) {
        standing.skipped += 1;
        return null;
      }
      const { skipped } = standing;
      standing.skipped = 0;
      return skipped;
    },
  };
}

function take(bucket: Bucket, { burst, perMinute }: Rate, now: number): boolean {
  const elapsedMs = Math.max(0, now - bucket.filledAt);
  bucket.tokens = Math.min(burst, bucket.tokens + (elapsedMs / MINUTE_MS) * perMinute);
  bucket.filledAt = now;
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  return true;
}
