import type { Id } from '../kernel/ids.ts';
import { tokenBucket } from '../kernel/token-bucket.ts';

/**
 * The rates per merchant of listed requests, as the page of the request log shows them: a burst, then a number per minute. Failures
 * have a separate rate, so that successes never displace them. At most 91,620 rows per merchant and process in seven days.
 */
const SUCCESSES = { burst: 300, perMinute: 3 };
const FAILURES = { burst: 600, perMinute: 6 };
/** The most merchants with rates in memory; beyond it all rates are reset. */
const MERCHANTS_MAX = 20_000;

interface Counters {
  readonly takeSuccess: (now: number) => number;
  readonly takeFailure: (now: number) => number;
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
      takeSuccess: tokenBucket(SUCCESSES.perMinute / 60, SUCCESSES.burst, now),
      takeFailure: tokenBucket(FAILURES.perMinute / 60, FAILURES.burst, now),
      skipped: 0,
    };
    byMerchant.set(merchantId, counters);
    return counters;
  }

  return (merchantId: Id<'mer'>, isFailure: boolean, now: number): number | null => {
    const counters = countersOf(merchantId, now);
    const { skipped, takeSuccess, takeFailure } = counters;
    const isListed = (isFailure ? takeFailure(now) : takeSuccess(now)) === 0;
    counters.skipped = isListed ? 0 : skipped + 1;
    return isListed ? skipped : null;
  };
}
