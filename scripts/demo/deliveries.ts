import { type Insertable, type Selectable, sql } from 'kysely';
import type { Tx } from '../../src/db/database.ts';
import type { DeliveryAttemptTable, DeliveryTable } from '../../src/db/tables/webhooks.ts';
import { DAY_MS, HOUR_MS } from '../../src/kernel/clock.ts';
import { ATTEMPT_TIMEOUT_MS, nextAttemptAt } from '../../src/webhooks/delivery/schedule.ts';
import type { Prng } from '../sim/prng.ts';
import type { DemoDeps } from './fill.ts';
import { DEMO_DAYS } from './orders.ts';
import type { Endpoint, OpenShop, OpenShops } from './shops.ts';

type AttemptRow = Insertable<DeliveryAttemptTable>;

/** Longer than all attempts of a delivery. */
export const DELIVERY_MAX_MS = 60_000;

/** The results of failed requests. */
const FAULTS = {
  hiccup: answered(500, '{"error":"deadlock found when trying to get lock"}'),
  status: answered(503, '<html><body><h1>503 Service Unavailable</h1></body></html>'),
  slow: unanswered(
    `The endpoint did not complete its answer within ${ATTEMPT_TIMEOUT_MS / 1000} seconds.`,
    'TimeoutError: The operation was aborted due to timeout',
  ),
  gone: unanswered('The endpoint could not be reached over https.', 'ECONNREFUSED: connect ECONNREFUSED'),
};

function answered(status: number, response: string) {
  return {
    status,
    response,
    error: `The endpoint answered ${status}, not a 2xx status.`,
    error_detail: null,
  };
}

function unanswered(error: string, error_detail: string) {
  return { status: null, response: null, error, error_detail };
}

/** Returns a function that ends the due deliveries with the results of the shops' endpoints at that time. */
export function createEndpoints({ db, until }: DemoDeps, prng: Prng, shops: OpenShops) {
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
        const shop = Object.values(shops).find(({ id }) => id === row.merchant_id);
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
  let endedAt = from;
  for (let at = isEnabled ? from : null; at !== null; ) {
    const attempt = send(prng, endpoint, at, until);
    const number = attempts.length + 1;
    attempts.push({ delivery_id: id, merchant_id, number, started_at: at, ...attempt });
    endedAt = at + attempt.duration_ms;
    at = attempt.error === null ? null : nextAttemptAt(number, 0, endedAt);
  }
  if (attempts.length > 0) await tx.insertInto('delivery_attempts').values(attempts).execute();
  const ended = attempts.at(-1)?.error === null ? 'delivered' : 'undelivered';
  const outcome = { state: isEnabled ? ended : 'skipped', attempts_count: attempts.length } as const;
  await tx
    .updateTable('deliveries')
    .set({ ...outcome, finished_at: endedAt, next_attempt_at: null })
    .where('id', '=', id)
    .execute();
  return endedAt;
}

function send(prng: Prng, endpoint: Endpoint, at: number, until: number) {
  const outage = endpoint.outages.find(({ daysAgo, hours }) => {
    const began = until - daysAgo * DAY_MS;
    return at >= began && at < began + hours * HOUR_MS;
  });
  const fault = outage?.kind ?? (prng.chance(endpoint.hiccups) ? 'hiccup' : null);
  const usualMs = Math.round(endpoint.usualMs * (0.5 + prng.fraction() ** 3 * 4) + prng.int(1, 40));
  if (fault !== null)
    return { ...FAULTS[fault], duration_ms: fault === 'slow' ? ATTEMPT_TIMEOUT_MS : usualMs };
  return { status: 200, error: null, error_detail: null, response: endpoint.ok, duration_ms: usualMs };
}
