import type { Id } from '../kernel/ids.ts';

/** The rate of listed requests: a burst, then a number per minute. */
interface Rate {
  readonly burst: number;
  readonly perMinute: number;
}

/**
 * The rates per merchant. Failures have a separate rate, so that successes never displace them. At most 91,620 rows per merchant
 * and process in seven days.
 */
const SUCCESSES: Rate = { burst: 300, perMinute: 3 };
const FAILURES: Rate = { burst: 600, perMinute: 6 };
const MINUTE_MS = 60_000;
/** The most merchants with rates in memory; beyond it all rates are reset. */
const MERCHANTS_MAX = 20_000;

interface Bucket {
  tokens: number;
  filledAt: number;
}

interface Counters {
  readonly successes: Bucket;
  readonly failures: Bucket;
  skipped: number;
}

/**
 * Decides which requests the log lists. Returns null when a request is skipped; otherwise the number of the merchant's requests
 * skipped since the last listed one.
 */
export function createAdmission() {
  const byMerchant = new Map<Id<'mer'>, Counters>();

  function countersOf(merchantId: Id<'mer'>, now: number): Counters {
    const known = byMerchant.get(merchantId);
    if (known !== undefined) return known;
    if (byMerchant.size >= MERCHANTS_MAX) byMerchant.clear();
    const counters = {
      successes: { tokens: SUCCESSES.burst, filledAt: now },
      failures: { tokens: FAILURES.burst, filledAt: now },
      skipped: 0,
    };
    byMerchant.set(merchantId, counters);
    return counters;
  }

  return (merchantId: Id<'mer'>, isFailure: boolean, now: number): number | null => {
    const counters = countersOf(merchantId, now);
    const { skipped, successes, failures } = counters;
    const isListed = isFailure ? take(failures, FAILURES, now) : take(successes, SUCCESSES, now);
    counters.skipped = isListed ? 0 : skipped + 1;
    return isListed ? skipped : null;
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
