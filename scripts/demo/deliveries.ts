import type { Insertable } from 'kysely';
import type { DeliveryAttemptTable, DeliveryTable } from '../../src/db/tables/tables.ts';
import type { Prng } from '../sim/prng.ts';
import type { Endpoint, Shop } from './shops.ts';

export type DeliveryRow = Insertable<DeliveryTable>;
export type DeliveryAttemptRow = Insertable<DeliveryAttemptTable>;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** The service's waits between attempts. */
const DELAYS_MS = [0, 200, 1000, 5000];
const TIMEOUT_MS = 8000;

/** The longest duration of a delivery's four attempts. */
export const DELIVERY_MAX_MS = DELAYS_MS.length * TIMEOUT_MS + 6_200 + 1000;

export type Event = Pick<DeliveryRow, 'event_id' | 'merchant_id' | 'transaction_id' | 'kind'>;

/**
 * Returns a delivery that starts at `from`, with the outcome of the shop's endpoint at that time. `lane` is null for
 * a resend, which is not ordered.
 */
export function deliver(
  prng: Prng,
  shop: Shop,
  event: Event,
  at: { id: DeliveryRow['id']; createdAt: number; from: number; until: number; since: number },
  lane: number | null,
): { delivery: DeliveryRow; attempts: DeliveryAttemptRow[] } {
  const base = {
    ...event,
    id: at.id,
    lane_position: lane,
    blocked: 0 as const,
    next_attempt_at: null,
    claim_token: null,
    claimed_until: null,
    created_at: at.createdAt,
    recovery_id: null,
  };
  if (at.createdAt < at.since + shop.webhookFromDay * DAY_MS) {
    const finished_at = at.from + prng.int(2, 9);
    return { delivery: { ...base, state: 'skipped', attempts_count: 0, finished_at }, attempts: [] };
  }
  const attempts: DeliveryAttemptRow[] = [];
  let startAt = at.from + prng.int(2, 14);
  for (const [index, delayMs] of DELAYS_MS.entries()) {
    startAt += delayMs;
    const result = attempt(prng, shop.endpoint, startAt, at.until);
    attempts.push({ delivery_id: at.id, number: index + 1, started_at: startAt, ...result });
    startAt += result.duration_ms;
    if (result.error === null) break;
  }
  const state = attempts.at(-1)?.error === null ? ('delivered' as const) : ('undelivered' as const);
  return { delivery: { ...base, state, attempts_count: attempts.length, finished_at: startAt }, attempts };
}

function attempt(prng: Prng, endpoint: Endpoint, at: number, until: number) {
  const outage = endpoint.outages.find(({ daysAgo, hours }) => {
    const began = until - daysAgo * DAY_MS;
    return at >= began && at < began + hours * HOUR_MS;
  });
  const fault = outage?.kind ?? (prng.chance(endpoint.hiccups) ? 'hiccup' : null);
  const quick = Math.round(endpoint.usualMs * (0.5 + prng.fraction() ** 3 * 4) + prng.int(1, 40));
  const plain = { error_detail: null, response: null, status: null };
  switch (fault) {
    case null:
      return { ...plain, duration_ms: quick, status: 200, error: null, response: endpoint.ok };
    case 'hiccup':
      return {
        ...plain,
        duration_ms: quick * 2,
        status: 500,
        error: 'The endpoint answered 500, not a 2xx status.',
        response: '{"error":"deadlock found when trying to get lock"}',
      };
    case 'status':
      return {
        ...plain,
        duration_ms: prng.int(30, 160),
        status: 503,
        error: 'The endpoint answered 503, not a 2xx status.',
        response: '<html><body><h1>503 Service Unavailable</h1></body></html>',
      };
    case 'slow':
      return {
        ...plain,
        duration_ms: TIMEOUT_MS + prng.int(0, 6),
        error: `The endpoint did not complete its answer within ${TIMEOUT_MS / 1000} seconds.`,
        error_detail: 'TimeoutError: The operation was aborted due to timeout',
      };
    case 'gone':
      return {
        ...plain,
        duration_ms: prng.int(8, 70),
        error: 'The endpoint could not be reached over https.',
        error_detail: 'ECONNREFUSED: connect ECONNREFUSED',
      };
  }
}
