import { type Insertable, type Selectable, sql } from 'kysely';
import type { Tx } from '../../src/db/database.ts';
import type { DeliveryAttemptTable, DeliveryTable } from '../../src/db/tables/webhooks.ts';
import type { Prng } from '../sim/prng.ts';
import type { DemoDeps } from './fill.ts';
import { DEMO_DAYS } from './orders.ts';
import type { Endpoint, OpenShop } from './shops.ts';

type AttemptRow = Insertable<DeliveryAttemptTable>;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** The service's delays between attempts. */
const DELAYS_MS = [0, 200, 1000, 5000];
const TIMEOUT_MS = 8000;

/** The longest duration of a delivery's four attempts. */
export const DELIVERY_MAX_MS = DELAYS_MS.length * TIMEOUT_MS + 7200;

const NO_ANSWER = { status: null, response: null };
/** The results of failed requests. */
const FAULTS = {
  hiccup: answered(500, '{"error":"deadlock found when trying to get lock"}'),
  status: answered(503, '<html><body><h1>503 Service Unavailable</h1></body></html>'),
  slow: {
    ...NO_ANSWER,
    error: `The endpoint did not complete its answer within ${TIMEOUT_MS / 1000} seconds.`,
    error_detail: 'TimeoutError: The operation was aborted due to timeout',
  },
  gone: {
    ...NO_ANSWER,
    error: 'The endpoint could not be reached over https.',
    error_detail: 'ECONNREFUSED: connect ECONNREFUSED',
  },
};

function answered(status: number, response: string) {
  return {
    status,
    response,
    error: `The endpoint answered ${status}, not a 2xx status.`,
    error_detail: null,
  };
}

/** Returns a function that ends the due deliveries with the results of the shops' endpoints at that time. */
export function createEndpoints({ db, until }: DemoDeps, prng: Prng, shops: readonly OpenShop[]) {
  /** When the deliveries of a transaction ended. */
  const ends = new Map<string, number>();
  return () =>
    db.unit(async (tx) => {
      const due = await tx
        .selectFrom('deliveries')
        .selectAll()
        // The conditions of the index.
        .where('state', '=', sql.lit('due'))
        .where('blocked', '=', sql.lit(0))
        .where('created_at', '>', sql.lit(0))
        .execute();
      for (const row of due) {
        const shop = shops.find(({ merchantId }) => merchantId === row.merchant_id);
        if (shop === undefined) throw new Error(`${row.id} belongs to no shop`);
        const transactionId = row.transaction_id ?? '';
        const from = Math.max(row.created_at, ends.get(transactionId) ?? 0) + prng.int(2, 14);
        ends.set(transactionId, await deliver(tx, prng, shop, row, from, until));
      }
    });
}

/** Resolves to the time at which it ended. `until` is the end of the data. */
async function deliver(
  tx: Tx,
  prng: Prng,
  { endpoint, webhookFromDay }: OpenShop,
  { id, merchant_id, created_at }: Selectable<DeliveryTable>,
  from: number,
  until: number,
): Promise<number> {
  const isEnabled = created_at >= until - (DEMO_DAYS - webhookFromDay) * DAY_MS;
  const attempts: AttemptRow[] = [];
  let at = from;
  for (const [index, delayMs] of isEnabled ? DELAYS_MS.entries() : []) {
    at += delayMs;
    const attempt = send(prng, endpoint, at, until);
    attempts.push({ delivery_id: id, merchant_id, number: index + 1, started_at: at, ...attempt });
    at += attempt.duration_ms;
    if (attempt.error === null) break;
  }
  if (attempts.length > 0) await tx.insertInto('delivery_attempts').values(attempts).execute();
  const ended = attempts.at(-1)?.error === null ? 'delivered' : 'undelivered';
  const outcome = { state: isEnabled ? ended : 'skipped', attempts_count: attempts.length } as const;
  await tx
    .updateTable('deliveries')
    .set({ ...outcome, finished_at: at, next_attempt_at: null })
    .where('id', '=', id)
    .execute();
  return at;
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
