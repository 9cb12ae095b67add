import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { request } from 'undici';
import type { Sink } from '../delivery/sink.ts';
import { orderJson } from '../requests.ts';
import type { Installation, RunningService } from '../service.ts';
import { BenchError } from '../types.ts';
import type { RecordedBank } from './bank.ts';

/** The sandbox's customer at this number accepts each push at once. */
const PHONE = '911000001';
const ARRIVE_MS_MAX = 60_000;

/** Disables reads of the bank's payment list during the measurement, which covers callbacks only. */
export const NO_RECONCILIATION = { SERVICE_RECONCILE_SECONDS: '3600' };

export interface PaymentSite {
  readonly installation: Installation;
  readonly running: RunningService;
  readonly bank: RecordedBank;
  readonly sink: Sink;
}

/**
 * Makes `count` MB WAY payments at a fixed rate and returns the sorted delays in milliseconds from the bank sending each
 * confirmation to its first byte at the merchant. Throws BenchError unless each payment is delivered exactly once.
 */
export async function confirmations(
  { installation, running, bank, sink }: PaymentSite,
  count: number,
  perSecond: number,
): Promise<Float64Array> {
  const startedAt = performance.now();
  const payments: Promise<string>[] = [];
  for (let i = 0; i < count; i++) {
    await wait(Math.max(0, startedAt + (i * 1000) / perSecond - performance.now()));
    payments.push(pay(running.port, installation.apiKey, i));
  }
  const ids = await Promise.all(payments);
  await sink.waitFor(count, ARRIVE_MS_MAX);
  const { transactionIds, at } = await sink.take(installation.webhookSecret);
  const arrivedAt = new Map(transactionIds.map((id, i) => [id, at[i] ?? Number.NaN]));
  const lost = ids.filter((id) => !arrivedAt.has(id)).length;
  if (lost > 0 || transactionIds.length !== count)
    throw new BenchError(
      `${lost} of ${count} payments are lost, ${transactionIds.length} deliveries arrived`,
    );
  const confirmedAt = await bank.confirmed();
  const requestIds = requestIdsOf(installation.file, ids);
  const latencies = ids.map(
    (id) => (arrivedAt.get(id) ?? Number.NaN) - (confirmedAt.get(requestIds.get(id) ?? '') ?? Number.NaN),
  );
  return Float64Array.from(latencies).sort();
}

async function pay(port: number, apiKey: string, n: number): Promise<string> {
  const post = async (step: string, body: string) => {
    const answer = await request(`http://127.0.0.1:${port}/api/v1/payments/${step}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body,
    });
    const json = (await answer.body.json()) as Record<string, unknown>;
    if (answer.statusCode !== 200)
      throw new BenchError(`${step} answered ${answer.statusCode}: ${JSON.stringify(json)}`);
    return json;
  };
  const { transactionId } = await post('init', orderJson(n));
  await post('mbway', JSON.stringify({ transactionId, phoneNumber: PHONE }));
  return String(transactionId);
}

/** Returns the bank's request id of each transaction's push. */
function requestIdsOf(file: string, ids: readonly string[]): Map<string, string> {
  const handle = new Sqlite(file, { readonly: true });
  try {
    const query = 'select request_id from attempts where transaction_id = ?';
    const find = handle.prepare<[string], string>(query).pluck();
    return new Map(ids.map((id) => [id, find.get(id) ?? '']));
  } finally {
    handle.close();
  }
}
