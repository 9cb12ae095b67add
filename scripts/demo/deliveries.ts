import type { Insertable } from 'kysely';
import type { DeliveryAttemptTable, DeliveryTable } from '../../src/db/tables/webhooks.ts';
import type { Prng } from '../sim/prng.ts';
import type { Endpoint, Shop } from './shops.ts';

type DeliveryRow = Insertable<DeliveryTable>;
type AttemptRow = Insertable<DeliveryAttemptTable>;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** The service's delays between attempts. */
const DELAYS_MS = [0, 200, 1000, 5000];
const TIMEOUT_MS = 8000;

/** The longest duration of a delivery's four attempts. */
export const DELIVERY_MAX_MS = DELAYS_MS.length * TIMEOUT_MS + 7200;

/** The results of failed requests. */
const FAULTS = {
  hiccup: {
    status: 500,
    error: 'The endpoint answered 500, not a 2xx status.',
    error_detail: null,
    response: '{"error":"deadlock found when trying to get lock"}',
  },
  status: {
    status: 503,
    error: 'The endpoint answered 503, not a 2xx status.',
    error_detail: null,
    response: '<html><body><h1>503 Service Unavailable</h1></body></html>',
  },
  slow: {
    status: null,
    error: `The endpoint did not complete its answer within ${TIMEOUT_MS / 1000} seconds.`,
    error_detail: 'TimeoutError: The operation was aborted due to timeout',
    response: null,
  },
  gone: {
    status: null,
    error: 'The endpoint could not be reached over https.',
    error_detail: 'ECONNREFUSED: connect ECONNREFUSED',
    response: null,
  },
};

/**
 * Returns a delivery that starts at `from`, with the result of the shop's endpoint at that time. `until` is the end of
 * the data, `enabledAt` the time when the shop enabled its webhook.
 */
export function deliver(
  prng: Prng,
  endpoint: Shop['endpoint'],
  delivery: Pick<
    DeliveryRow,
    'id' | 'event_id' | 'merchant_id' | 'transaction_id' | 'kind' | 'lane_position' | 'created_at'
  >,
  { from, until, enabledAt }: { from: number; until: number; enabledAt: number },
): { delivery: DeliveryRow & { finished_at: number }; attempts: AttemptRow[] } {
  const base = { ...delivery, blocked: 0 as const };
  let at = from + prng.int(2, 14);
  if (delivery.created_at < enabledAt) {
    return { delivery: { ...base, state: 'skipped', attempts_count: 0, finished_at: at }, attempts: [] };
  }
  const attempts: AttemptRow[] = [];
  for (const [index, delayMs] of DELAYS_MS.entries()) {
    at += delayMs;
    const attempt = send(prng, endpoint, at, until);
    attempts.push({
      delivery_id: delivery.id,
      merchant_id: delivery.merchant_id,
      number: index + 1,
      started_at: at,
      ...attempt,
    });
    at += attempt.duration_ms;
    if (attempt.error === null) break;
  }
  const state = attempts.at(-1)?.error === null ? 'delivered' : 'undelivered';
  return { delivery: { ...base, state, attempts_count: attempts.length, finished_at: at }, attempts };
}

function send(prng: Prng, endpoint: Endpoint, at: number, until: number) {
  const outage = endpoint.outages.find(({ daysAgo, hours }) => {
    const began = until - daysAgo * DAY_MS;
    return at >= began && at < began + hours * HOUR_MS;
  });
  const fault = outage?.kind ?? (prng.chance(endpoint.hiccups) ? 'hiccup' : null);
  const usualMs = Math.round(endpoint.usualMs * (0.5 + prng.fraction() ** 3 * 4) + prng.int(1, 40));
  if (fault !== null) return { ...FAULTS[fault], duration_ms: fault === 'slow' ? TIMEOUT_MS : usualMs };
  return { status: 200, error: null, error_detail: null, response: endpoint.ok, duration_ms: usualMs };
}
