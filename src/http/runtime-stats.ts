import type { Metrics, RuntimeStatsReading } from '../deps.ts';
import { type Clock, MINUTE_MS } from '../kernel/clock.ts';
import type { PrometheusMetrics } from './metrics.ts';

const MINUTES = 5;

/** The outcomes of bank calls without a readable answer. */
const NO_ANSWER = new Set(['unreachable', 'unknown', 'unavailable']);

const ZERO = {
  requests: 0,
  clientErrors: 0,
  serverErrors: 0,
  bankCalls: 0,
  bankFailed: 0,
  delivered: 0,
  deliveriesFailed: 0,
};
type Counts = typeof ZERO;

/** Creates the statistics of the last five minutes, kept minute by minute. */
export function createRuntimeStats(clock: Clock) {
  const startedAt = clock.now();
  const { count, sum } = createCounts(clock);
  const unavailable = new Map<string, { accountId: string; since: number }>();
  let unclaimedSeconds = Number.NaN;
  return {
    /** Returns metrics that are recorded here and forwarded to `next`. */
    metrics: (next: PrometheusMetrics): Metrics => ({
      ...next,
      bankCall(operation, outcome, seconds) {
        next.bankCall(operation, outcome, seconds);
        count('bankCalls');
        if (NO_ANSWER.has(outcome)) count('bankFailed');
      },
      bankUnavailable(accountId, operation, isUnavailable) {
        const key = `${operation} ${accountId}`;
        if (isUnavailable) unavailable.set(key, { accountId, since: clock.now() });
        else unavailable.delete(key);
      },
      deliveryAttempt(outcome, seconds) {
        next.deliveryAttempt(outcome, seconds);
        count(outcome === 'delivered' ? 'delivered' : 'deliveriesFailed');
      },
      deliveriesUnclaimed(seconds) {
        next.deliveriesUnclaimed(seconds);
        unclaimedSeconds = seconds;
      },
      request(route, method, status, seconds) {
        next.request(route, method, status, seconds);
        count('requests');
        if (status >= 500) count('serverErrors');
        else if (status >= 400) count('clientErrors');
      },
    }),
    read(): RuntimeStatsReading {
      const { requests, clientErrors, serverErrors, ...total } = sum();
      // The clock may have been set back since the outage began; a start in the future would delay the alert.
      for (const outage of unavailable.values()) outage.since = Math.min(outage.since, clock.now());
      return {
        startedAt,
        windowMs: MINUTES * MINUTE_MS,
        http: { requests, clientErrors, serverErrors },
        bank: { calls: total.bankCalls, failed: total.bankFailed },
        deliveries: { delivered: total.delivered, failed: total.deliveriesFailed },
        unclaimedSeconds,
        bankUnavailableSince: earliestByAccount(unavailable.values()),
      };
    },
  };
}

/** Counts by minute, with their sum over the retained minutes. */
function createCounts(clock: Clock) {
  const minutes = new Map<number, Counts>();
  return {
    count(name: keyof Counts): void {
      const minute = Math.floor(clock.now() / MINUTE_MS);
      const counts = minutes.get(minute) ?? { ...ZERO };
      counts[name] += 1;
      minutes.set(minute, counts);
      for (const old of minutes.keys()) if (old <= minute - MINUTES || old > minute) minutes.delete(old);
    },
    sum(): Counts {
      const total = { ...ZERO };
      const minute = Math.floor(clock.now() / MINUTE_MS);
      for (const [at, counts] of minutes) {
        if (at <= minute - MINUTES || at > minute) continue;
        for (const name of Object.keys(total) as (keyof Counts)[]) total[name] += counts[name];
      }
      return total;
    },
  };
}

function earliestByAccount(all: Iterable<{ accountId: string; since: number }>): Map<string, number> {
  const earliest = new Map<string, number>();
  for (const { accountId, since } of all) {
    earliest.set(accountId, Math.min(since, earliest.get(accountId) ?? since));
  }
  return earliest;
}
